import { askJson } from './ask.js';
import { Badge } from './badge.js';
import { NOTHING, writeClock, writeWord } from './format.js';
import { html } from './html.js';
import { Table } from './table.js';

/**
 * @typedef {object} Circuit
 * @property {string} provider
 * @property {string} model
 * @property {string} credential
 * @property {string} state
 * @property {string} [reason]
 * @property {string} [until]
 * @property {readonly string[]} [callers]
 */

/** @param {AbortSignal} signal */
export const readCircuits = async (signal) =>
  /** @type {{ circuits: readonly Circuit[] }} */ (await askJson('/admin/circuits', signal)).circuits;

const badness = ['closed', 'half-open', 'cooling', 'open'];
/** @param {readonly Circuit[]} circuits */
export const worstOf = (circuits) =>
  circuits.reduce((worst, { state }) => (badness.indexOf(state) > badness.indexOf(worst) ? state : worst), 'closed');

const columns = [
  { title: 'Provider and model' },
  { title: 'Credential' },
  { title: 'Circuit' },
  { title: 'Because of' },
  { title: 'For' },
  { title: 'Until (UTC)', isNumber: true },
];

/** Whom a circuit is not closed for. @param {readonly string[] | undefined} callers */
const writeCallers = (callers) => (callers === undefined ? 'all callers' : callers.join(', '));

/** Those that are not closed. @param {{ circuits: readonly Circuit[] }} props */
export const Circuits = ({ circuits }) => {
  const troubled = circuits.filter(({ state }) => state !== 'closed');
  if (troubled.length === 0) return html`<p class="soft">Every circuit is closed.</p>`;
  return html`<${Table}
    caption="Circuits that are not closed"
    columns=${columns}
    rows=${troubled.map(({ provider, model, credential, state, reason, until, callers }) => ({
      key: JSON.stringify([provider, model, credential]),
      cells: [
        `${provider}/${model}`,
        credential,
        html`<${Badge} word=${state} />`,
        reason === undefined ? NOTHING : writeWord(reason),
        writeCallers(callers),
        until === undefined ? NOTHING : writeClock(until),
      ],
    }))}
  />`;
};
