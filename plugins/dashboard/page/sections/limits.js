import { useState } from 'preact/hooks';
import { ExpandButton } from '../components/expand-button.js';
import { html } from '../components/html.js';
import { Section } from '../components/section.js';
import { Table } from '../components/table.js';
import { requestJson } from '../data/api.js';
import { NO_VALUE, formatDollars, formatNumber, formatShare, formatWait } from '../data/format.js';
import { usePoll } from '../data/poll.js';

/**
 * @typedef {object} ListedLimit
 * @property {'organization' | 'project' | 'key'} scope
 * @property {string} organization
 * @property {string} [project]
 * @property {string} [key]
 * @property {string} unit
 * @property {string} [per]
 * @property {readonly string[]} models
 * @property {string} [each]
 * @property {boolean} enforce
 * @property {number} limit
 * @property {number} [used]
 * @property {number} [resetMs]
 */
/**
 * @typedef {object} LimitList
 * @property {'redis' | 'local'} store
 * @property {readonly ListedLimit[]} limits
 * @property {boolean} more there are limits that are not listed
 */

const COLLAPSED_ROWS = 12;
/** @type {Readonly<Record<string, string>>} */
const units = {
  requests: 'requests',
  tokens: 'tokens',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  cost: 'cost',
  concurrent: 'concurrent requests',
};

/** @param {AbortSignal} signal */
const readLimits = async (signal) => /** @type {LimitList} */ (await requestJson('/admin/limits', signal));

/** @param {ListedLimit} limit */
const utilization = ({ used = 0, limit }) => used / limit;

/** @param {{ limit: ListedLimit }} props */
const Utilization = ({ limit: listed }) => {
  if (listed.used === undefined) return html`<span>${NO_VALUE}</span>`;
  const format = listed.unit === 'cost' ? formatDollars : formatNumber;
  const part = Math.min(1, Math.max(0, utilization(listed)));
  const share = formatShare(listed.used, listed.limit);
  const tone = part >= 1 ? 'bad' : part >= 0.8 ? 'warn' : 'good';
  return html`
    <div class="fill">
      <span class="bar" aria-hidden="true"><span class=${tone} style=${{ width: `${part * 100}%` }}></span></span>
      <span>${format(listed.used)} of ${format(listed.limit)} <span class="muted">(${share})</span></span>
    </div>
  `;
};

/** @param {ListedLimit} limit */
const describeRow = (limit) => {
  const { scope, organization, project, key, unit, per, models, each, enforce, resetMs = 0 } = limit;
  const owner = [organization, project, key].filter((name) => name !== undefined).join(' / ');
  const description = [
    units[unit] ?? unit,
    per === undefined ? '' : ` per ${per}`,
    models.length === 0 ? '' : ` of ${models.join(', ')}`,
    each === undefined ? '' : ` for each ${each}`,
    enforce ? '' : ' (dry run)',
  ].join('');
  return {
    key: JSON.stringify([owner, unit, per, models, each, enforce]),
    cells: [
      html`${owner}
        <span class="muted below"
          >${scope}:${' '}
          ${description}</span
        >`,
      html`<${Utilization} limit=${limit} />`,
      resetMs === 0 ? NO_VALUE : formatWait(resetMs),
    ],
  };
};

/** @param {{ list: LimitList }} props */
const LimitTable = ({ list }) => {
  const [isExpanded, setExpanded] = useState(false);
  const toggle = () => setExpanded(!isExpanded);
  const sorted = [...list.limits].sort((one, other) => utilization(other) - utilization(one));
  const shown = isExpanded ? sorted : sorted.slice(0, COLLAPSED_ROWS);
  const where = list.store === 'redis' ? 'in Redis, over all hosts' : 'by this host';
  const caption = `Most used first, counted ${where}${list.more ? '; not all limits are listed' : ''}`;
  if (sorted.length === 0) return html`<p class="card empty">No limits are configured.</p>`;
  return html`
    <${Table}
      caption=${caption}
      columns=${[{ title: 'Limit' }, { title: 'Used' }, { title: 'Resets in', isNumber: true }]}
      rows=${shown.map(describeRow)}
    />
    <${ExpandButton}
      count=${sorted.length}
      collapsed=${COLLAPSED_ROWS}
      isExpanded=${isExpanded}
      toggle=${toggle}
    />
  `;
};

/** The utilization of limits and budgets. */
export const Limits = () => {
  const polled = usePoll(readLimits, 5_000);
  return html`<${Section}
    id="limits"
    title="Limits and budgets"
    notConfigured="The plugin rate-limit is not configured: add “use: rate-limit” to the plugins of gateway.yaml."
    polled=${polled}
    show=${(/** @type {LimitList} */ list) => html`<${LimitTable} list=${list} />`}
  />`;
};
