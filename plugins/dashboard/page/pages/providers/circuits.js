import { Badge } from '../../components/badge.js';
import { html } from '../../components/html.js';
import { Table } from '../../components/table/table.js';
import { requestJson } from '../../data/api.js';
import { NO_VALUE, formatClock, formatName } from '../../data/format.js';

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
  /** @type {{ circuits: readonly Circuit[] }} */ (await requestJson('/admin/circuits', signal)).circuits;

const severity = ['closed', 'half-open', 'cooling', 'open'];
/** @param {readonly Circuit[]} circuits */
const worstOf = (circuits) =>
  circuits.reduce((worst, { state }) => (severity.indexOf(state) > severity.indexOf(worst) ? state : worst), 'closed');

/** The name of the model of a circuit that applies to all models of a provider. */
const EVERY_MODEL = '*';

/**
 * A provider has the state of its circuits if they apply to all of its models, credentials and callers; otherwise it is
 * in use, and the models are named.
 * @param {object} props
 * @param {string} props.provider
 * @param {readonly string[]} props.models that were called
 * @param {readonly Circuit[]} props.circuits
 */
export const ProviderState = ({ provider, models, circuits }) => {
  const its = circuits.filter((circuit) => circuit.provider === provider);
  const notClosed = its.filter(({ state }) => state !== 'closed');
  const isWhole = (/** @type {string} */ model) => {
    const ofModel = its.filter((circuit) => circuit.model === model || circuit.model === EVERY_MODEL);
    return ofModel.length > 0 && ofModel.every(({ state, callers }) => state !== 'closed' && callers === undefined);
  };
  if (notClosed.length === 0) return html`<${Badge} state="closed" />`;
  if (models.every(isWhole)) return html`<${Badge} state=${worstOf(notClosed)} />`;
  const names = [...new Set(notClosed.map(({ model }) => model))];
  return html`<${Badge} state="partly" />
    <span class="muted below">
      ${names.length === 1 ? names[0] : `${names.length} models`}: ${formatName(worstOf(notClosed))}
    </span>`;
};

const columns = [
  { title: 'Provider and model' },
  { title: 'Credential', not: /** @type {const} */ ('small') },
  { title: 'Circuit' },
  { title: 'Reason', not: /** @type {const} */ ('small') },
  { title: 'Callers', not: /** @type {const} */ ('small') },
  { title: 'Until', isTime: true, isNumber: true },
];

/** The callers that a circuit is not closed for. @param {readonly string[] | undefined} callers */
const writeCallers = (callers) => (callers === undefined ? 'all callers' : callers.join(', '));

/** After its time, single requests try the target again. @param {string | undefined} until */
const writeUntil = (until) => {
  if (until === undefined) return NO_VALUE;
  return Date.parse(until) <= Date.now() ? 'being probed' : formatClock(until);
};

/** The circuits that are not closed. @param {{ circuits: readonly Circuit[] }} props */
export const Circuits = ({ circuits }) => {
  const notClosed = circuits.filter(({ state }) => state !== 'closed');
  return html`<${Table}
    caption="Circuits that are not closed"
    empty="All circuits are closed."
    columns=${columns}
    rows=${notClosed.map(({ provider, model, credential, state, reason, until, callers }) => ({
      key: JSON.stringify([provider, model, credential]),
      cells: [
        `${provider}/${model}`,
        credential,
        html`<${Badge} state=${state} />`,
        reason === undefined ? NO_VALUE : formatName(reason),
        writeCallers(callers),
        writeUntil(until),
      ],
    }))}
  />`;
};
