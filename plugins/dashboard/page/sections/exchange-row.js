/** @import { Row } from '../components/table.js' */
import { Badge } from '../components/badge.js';
import { html } from '../components/html.js';
import { NO_VALUE, formatClock, formatCount, formatDollars, formatMs, formatName } from '../data/format.js';

/**
 * @typedef {object} Attempt
 * @property {string} provider
 * @property {string} model
 * @property {string} credential
 * @property {string} outcome
 * @property {number} status
 * @property {number} ms
 * @property {number} [ms_waited]
 * @property {string} [lane]
 * @property {string} [failure]
 * @property {readonly string[]} [losses]
 */
/**
 * An exchange as the access log has it: docs/reference/access-log.md.
 * @typedef {object} Exchange
 * @property {string} endedAt
 * @property {number} [worker]
 * @property {string} request_id
 * @property {string} [key_alias]
 * @property {string} [project]
 * @property {string} [organization]
 * @property {string} [user]
 * @property {Readonly<Record<string, string>>} [tags]
 * @property {string} route
 * @property {string} wire_in
 * @property {string} [model]
 * @property {number} status
 * @property {string} outcome
 * @property {string} [ending]
 * @property {string} [code]
 * @property {string} [error_message]
 * @property {number} ms_total
 * @property {number} [ms_ttft]
 * @property {number} ms_overhead
 * @property {number} [tokens_in]
 * @property {number} [tokens_out]
 * @property {number} [cost_micro]
 * @property {readonly Attempt[]} attempts
 */

/** @param {Exchange} exchange */
const lossesOf = ({ attempts }) => attempts.flatMap(({ losses = [] }) => losses);

/** @param {Attempt} attempt @param {number} index */
const describeAttempt = (
  { provider, model, credential, status, ms, ms_waited: waited, lane, failure, losses = [] },
  index,
) => {
  const facts = [
    status === 0 ? 'no response' : status,
    ...(failure === undefined ? [] : [formatName(failure)]),
    `${formatMs(ms)}${waited === undefined ? '' : ` after waiting ${formatMs(waited)}`}`,
    ...(lane === undefined ? [] : [`${lane} lane`]),
  ];
  return html`
    <li key=${index}>
      <strong>${provider}/${model}</strong> with ${credential}: ${facts.join(', ')}
      ${losses.length === 0 ? null : html`<br />Losses: ${losses.map((loss) => loss.replace(';', ' ')).join(', ')}`}
    </li>
  `;
};

/** @param {Readonly<Record<string, string>>} tags */
const formatTags = (tags) =>
  Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

/** @param {Exchange} exchange */
const describeDetails = (exchange) => {
  const facts = [
    ['Request', exchange.request_id],
    ['Endpoint', `${exchange.route} (${exchange.wire_in})`],
    [
      'Owner',
      [exchange.organization, exchange.project, exchange.key_alias].filter((name) => name !== undefined).join(' / ') ||
        NO_VALUE,
    ],
    ...(exchange.user === undefined ? [] : [['End user', exchange.user]]),
    ...(exchange.tags === undefined ? [] : [['Tags', formatTags(exchange.tags)]]),
    ['Time to first token', formatMs(exchange.ms_ttft)],
    ['Gateway overhead', formatMs(exchange.ms_overhead)],
    ...(exchange.ending === undefined ? [] : [['Stream', formatName(exchange.ending)]]),
    ...(exchange.code === undefined ? [] : [['Error', `${exchange.code}: ${exchange.error_message ?? ''}`]]),
    ...(exchange.worker === undefined ? [] : [['Worker', String(exchange.worker)]]),
  ];
  return html`
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div key=${name}>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${
      exchange.attempts.length === 0
        ? html`<p>No provider was called.</p>`
        : html`<p>Attempts, in order:</p>
            <ol>
              ${exchange.attempts.map(describeAttempt)}
            </ol>`
    }
  `;
};

/**
 * @param {Exchange} exchange
 * @param {boolean} isOpen
 * @param {(id: string) => void} toggle
 * @returns {Row}
 */
export const describeRow = (exchange, isOpen, toggle) => ({
  key: exchange.request_id,
  cells: [
    html`<button
      type="button"
      class="link toggle"
      aria-expanded=${isOpen ? 'true' : 'false'}
      onClick=${() => toggle(exchange.request_id)}
    >
      ${formatClock(exchange.endedAt)}<span class="visually-hidden">, details</span>
    </button>`,
    html`<${Badge} state=${exchange.outcome} /> <span class="muted">${exchange.status}</span>`,
    exchange.model ?? NO_VALUE,
    exchange.key_alias ?? NO_VALUE,
    formatMs(exchange.ms_total),
    exchange.tokens_in === undefined ? NO_VALUE : formatCount(exchange.tokens_in),
    exchange.tokens_out === undefined ? NO_VALUE : formatCount(exchange.tokens_out),
    exchange.cost_micro === undefined ? NO_VALUE : formatDollars(exchange.cost_micro / 1e6),
    formatCount(exchange.attempts.length),
    formatCount(lossesOf(exchange).length),
  ],
  ...(isOpen ? { details: describeDetails(exchange) } : {}),
});
