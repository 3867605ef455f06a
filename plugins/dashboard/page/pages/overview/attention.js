import { html } from '../../components/html.js';
import { Panel } from '../../components/page.js';
import { orNone } from '../../data/api.js';
import { formatName, formatShare } from '../../data/format.js';
import { describeLimit, ownerOf, readLimits, toneOfLimit } from '../../data/limits.js';
import { usePoll } from '../../data/poll.js';
import { readConfiguration } from '../configuration/configuration.js';
import { readCircuits } from '../providers/circuits.js';

/**
 * @typedef {object} Item
 * @property {'warn' | 'bad'} tone
 * @property {string} state
 * @property {string} title
 * @property {string} text
 * @property {string} href
 */
const MOST = 8;

/**
 * A plugin that is not configured has nothing that needs attention.
 * @param {AbortSignal} signal
 * @returns {Promise<readonly Item[]>}
 */
const readItems = async (signal) => {
  const [live, circuits, { limits }] = await Promise.all([
    readConfiguration(signal),
    orNone(readCircuits(signal), []),
    orNone(readLimits({ state: 'near', sort: '-used' }, signal), { limits: [] }),
  ]);
  /** @type {readonly Item[]} */
  const reload =
    live.lastReload?.result === 'failed'
      ? [
          {
            tone: 'bad',
            state: 'reload failed',
            title: 'Configuration',
            text: 'The file has a mistake; the previous configuration stays active.',
            href: '#/configuration',
          },
        ]
      : [];
  return [
    ...reload,
    ...circuits
      .filter(({ state }) => state !== 'closed')
      .map(({ provider, model, state, reason }) => ({
        tone: /** @type {'warn' | 'bad'} */ (state === 'open' ? 'bad' : 'warn'),
        state: `circuit ${state}`,
        title: `${provider}/${model}`,
        text: reason === undefined ? '' : formatName(reason),
        href: '#/providers',
      })),
    ...limits
      .filter((limit) => limit.unit !== 'concurrent' && toneOfLimit(limit) !== 'good')
      .map((limit) => {
        const isSpent = toneOfLimit(limit) === 'bad';
        return {
          tone: /** @type {'warn' | 'bad'} */ (isSpent ? 'bad' : 'warn'),
          state: isSpent ? 'spent' : limit.refuses ? 'refuses' : `${formatShare(limit.used ?? 0, limit.limit)} used`,
          title: ownerOf(limit),
          text: describeLimit(limit),
          href: `#/limits?owner=${encodeURIComponent(ownerOf(limit))}`,
        };
      }),
  ];
};

/** Open circuits, spent limits, and a configuration that could not be loaded. */
export const Attention = () => html`<${Panel}
  id="attention"
  title="Needs attention"
  polled=${usePoll(readItems, 10_000)}
  show=${(/** @type {readonly Item[]} */ items) =>
    items.length === 0
      ? html`<p class="card empty">
          Nothing: all circuits are closed, no budget has refused a request, and no limit is used to 80%.</p>`
      : html`<ul class="card todo">
          ${items.slice(0, MOST).map(
            ({ tone, state, title, text, href }) => html`<li key=${state + title + text}>
              <span class=${`badge ${tone}`}>${state}</span>
              <a class="link" href=${href}>${title}</a>
              <span class="muted small">${text}</span>
            </li>`,
          )}
          ${items.length > MOST && html`<li class="muted small">and ${items.length - MOST} more</li>`}
        </ul>`}
/>`;
