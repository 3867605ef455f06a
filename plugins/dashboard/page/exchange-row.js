/** @import { Row } from './table.js' */
import { Badge } from './badge.js';
import { NOTHING, writeClock, writeCount, writeDollars, writeMs, writeWord } from './format.js';
import { html } from './html.js';

/**
 * @typedef {object} Tried
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
 * An exchange that ended: its line in the access log, docs/access-log.md.
 * @typedef {object} Ended
 * @property {string} endedAt
 * @property {number} [worker]
 * @property {string} request_id
 * @property {string} [key_alias]
 * @property {string} [project]
 * @property {string} [organization]
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
 * @property {readonly Tried[]} attempts
 */

/** @param {Ended} ended */
const lossesOf = ({ attempts }) => attempts.flatMap(({ losses = [] }) => losses);

/** @param {Tried} tried @param {number} index */
const describeTried = (
  { provider, model, credential, status, ms, ms_waited: waited, lane, failure, losses = [] },
  index,
) => html`
  <li key=${index}>
    <strong>${provider}/${model}</strong> with ${credential}:${' '}
    ${status === 0 ? 'no answer' : status}${failure === undefined ? '' : `, ${writeWord(failure)}`},${' '}
    ${writeMs(ms)}${waited === undefined ? '' : ` after waiting ${writeMs(waited)}`}${lane === undefined ? '' : `, ${lane} lane`}
    ${losses.length === 0 ? null : html`<br />Losses: ${losses.map((loss) => loss.replace(';', ' ')).join(', ')}`}
  </li>
`;

/** @param {Ended} ended */
const describeMore = (ended) => {
  const facts = [
    ['Request', ended.request_id],
    ['Route', `${ended.route} (${ended.wire_in})`],
    [
      'Of',
      [ended.organization, ended.project, ended.key_alias].filter((name) => name !== undefined).join(' / ') || NOTHING,
    ],
    ['First content', writeMs(ended.ms_ttft)],
    ['Gateway itself', writeMs(ended.ms_overhead)],
    ...(ended.ending === undefined ? [] : [['Stream', writeWord(ended.ending)]]),
    ...(ended.code === undefined ? [] : [['Error', `${ended.code}: ${ended.error_message ?? ''}`]]),
    ...(ended.worker === undefined ? [] : [['Worker', String(ended.worker)]]),
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
      ended.attempts.length === 0
        ? html`<p>No provider was called.</p>`
        : html`<p>Attempts, in their order:</p>
            <ol>
              ${ended.attempts.map(describeTried)}
            </ol>`
    }
  `;
};

/**
 * @param {Ended} ended
 * @param {boolean} isOpen
 * @param {(id: string) => void} toggle
 * @returns {Row}
 */
export const describeRow = (ended, isOpen, toggle) => ({
  key: ended.request_id,
  cells: [
    html`<button
      type="button"
      class="link toggle"
      aria-expanded=${isOpen ? 'true' : 'false'}
      onClick=${() => toggle(ended.request_id)}
    >
      ${writeClock(ended.endedAt)}<span class="unseen">, details</span>
    </button>`,
    html`<${Badge} word=${ended.outcome} /> <span class="soft">${ended.status}</span>`,
    ended.model ?? NOTHING,
    ended.key_alias ?? NOTHING,
    writeMs(ended.ms_total),
    ended.tokens_in === undefined ? NOTHING : writeCount(ended.tokens_in),
    ended.tokens_out === undefined ? NOTHING : writeCount(ended.tokens_out),
    ended.cost_micro === undefined ? NOTHING : writeDollars(ended.cost_micro / 1e6),
    writeCount(ended.attempts.length),
    writeCount(lossesOf(ended).length),
  ],
  ...(isOpen ? { more: describeMore(ended) } : {}),
});
