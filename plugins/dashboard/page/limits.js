import { useState } from 'preact/hooks';
import { askJson } from './ask.js';
import { NOTHING, writeDollars, writeNumber, writeShare, writeWait } from './format.js';
import { html } from './html.js';
import { usePoll } from './poll.js';
import { Section } from './section.js';
import { Table } from './table.js';

/**
 * @typedef {object} ListedLimit
 * @property {'organization' | 'project' | 'key'} scope
 * @property {string} organization
 * @property {string} [project]
 * @property {string} [key]
 * @property {string} unit
 * @property {string} [per]
 * @property {readonly string[]} models
 * @property {boolean} enforce
 * @property {number} limit
 * @property {number} [used]
 * @property {number} [resetMs]
 */
/** @typedef {{ readonly store: 'redis' | 'local', readonly limits: readonly ListedLimit[], readonly more: boolean }} LimitList */

const FEW = 12;
/** @type {Readonly<Record<string, string>>} */
const units = {
  requests: 'requests',
  tokens: 'tokens',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  cost: 'cost',
  concurrent: 'at once',
};

/** @param {AbortSignal} signal */
const readLimits = async (signal) => /** @type {LimitList} */ (await askJson('/admin/limits', signal));

/** @param {ListedLimit} limit */
const fullness = ({ used = 0, limit }) => used / limit;

/** @param {{ of: ListedLimit }} props */
const Fill = ({ of }) => {
  if (of.used === undefined) return html`<span>${NOTHING}</span>`;
  const write = of.unit === 'cost' ? writeDollars : writeNumber;
  const part = Math.min(1, Math.max(0, fullness(of)));
  const tone = part >= 1 ? 'bad' : part >= 0.8 ? 'warn' : 'good';
  return html`
    <div class="fill">
      <span class="bar" aria-hidden="true"><span class=${tone} style=${{ width: `${part * 100}%` }}></span></span>
      <span>${write(of.used)} of ${write(of.limit)} <span class="soft">(${writeShare(of.used, of.limit)})</span></span>
    </div>
  `;
};

/** @param {ListedLimit} limit */
const describeRow = (limit) => {
  const { scope, organization, project, key, unit, per, models, enforce, resetMs = 0 } = limit;
  const holder = [organization, project, key].filter((name) => name !== undefined).join(' / ');
  return {
    key: JSON.stringify([holder, unit, per, models, enforce]),
    cells: [
      html`${holder}
        <span class="soft below"
          >${scope}:${' '}
          ${units[unit] ?? unit}${per === undefined ? '' : ` per ${per}`}${models.length === 0 ? '' : ` of ${models.join(', ')}`}${enforce ? '' : ' (tried out)'}</span
        >`,
      html`<${Fill} of=${limit} />`,
      resetMs === 0 ? NOTHING : writeWait(resetMs),
    ],
  };
};

/** @param {{ list: LimitList }} props */
const LimitTable = ({ list }) => {
  const [isWhole, setWhole] = useState(false);
  const sorted = [...list.limits].sort((one, other) => fullness(other) - fullness(one));
  const shown = isWhole ? sorted : sorted.slice(0, FEW);
  if (sorted.length === 0) return html`<p class="card empty">Nobody has a limit.</p>`;
  return html`
    <${Table}
      caption=${`The fullest first, counted ${list.store === 'redis' ? 'in Redis, over all hosts' : 'by this host'}${list.more ? '; there are more than are shown here' : ''}`}
      columns=${[{ title: 'Limit' }, { title: 'Used' }, { title: 'Whole again in', isNumber: true }]}
      rows=${shown.map(describeRow)}
    />
    ${sorted.length > FEW ? html`<button type="button" onClick=${() => setWhole(!isWhole)}>${isWhole ? 'Show less' : `Show all ${sorted.length}`}</button>` : null}
  `;
};

/** How full the limits and budgets are. */
export const Limits = () => {
  const polled = usePoll(readLimits, 5_000);
  return html`<${Section}
    id="limits"
    title="Limits and budgets"
    absent="The plugin rate-limit is not configured: add “use: rate-limit” to the plugins of gateway.yaml."
    polled=${polled}
    show=${(/** @type {LimitList} */ list) => html`<${LimitTable} list=${list} />`}
  />`;
};
