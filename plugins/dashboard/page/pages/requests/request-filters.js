/** @import { FilterName } from '../../data/requests.js' */
import { useState } from 'preact/hooks';
import { Choice, Filters, TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { Period } from '../../components/period.js';
import { formatName } from '../../data/format.js';
import { periods } from '../../data/periods.js';
import { requestFilters } from '../../data/requests.js';

/** The classes of docs/reference/metrics.md, and their outcomes. */
const outcomes = [
  'success',
  'client_error',
  'limited',
  'failure',
  'ok',
  'auth',
  'rate_limited',
  'upstream_error',
  'timeout',
  'client_closed',
  'gateway_error',
  'shed',
  'abandoned',
  'unfinished',
];
/** @type {Readonly<Partial<Record<FilterName, Readonly<Record<string, unknown>>>>>} */
const inputs = {
  model: { placeholder: 'all' },
  key: { placeholder: 'all' },
  status: { inputmode: 'numeric', pattern: '[1-5][0-9]{2}', placeholder: '503' },
  minDurationMs: { inputmode: 'numeric', pattern: '[0-9]+', placeholder: '10000' },
  minCost: { inputmode: 'decimal', pattern: '[0-9]*[.]?[0-9]+', placeholder: '0.50' },
  tag: { pattern: '[^:]+:.+', placeholder: 'team:search' },
  code: { placeholder: 'upstream_error' },
};
/** @type {readonly FilterName[]} */
const further = ['organization', 'project', 'provider', 'user', 'code', 'status', 'minDurationMs', 'minCost', 'tag'];

export const FIRST_PERIOD = '24h';

/** @typedef {(change: Readonly<Record<string, string | undefined>>) => void} Change */

/** The active filters. @param {{ query: Readonly<Record<string, string>>, change: Change }} props */
const Chosen = ({ query, change }) => {
  const chosen = /** @type {FilterName[]} */ (Object.keys(requestFilters).filter((name) => query[name] !== undefined));
  return chosen.length === 0
    ? null
    : html`<div class="controls">
        <${Filters}
          chosen=${chosen.map((name) => ({ name, title: `${requestFilters[name]}: ${query[name]}` }))}
          drop=${(/** @type {string} */ name) => change({ [name]: undefined })}
        />
      </div>`;
};

/**
 * @param {object} props
 * @param {Readonly<Record<string, string>>} props.query
 * @param {Change} props.change
 * @param {(id: string) => void} props.open
 * @param {readonly string[]} props.models
 * @param {readonly string[]} props.keys
 */
export const RequestFilters = ({ query, change, open, models, keys }) => {
  const [showsMore, setMore] = useState(false);
  /** @param {FilterName} name @param {readonly string[]} [suggestions] */
  const text = (name, suggestions = []) => html`<${TextChoice}
    id=${`requests-${name}`}
    label=${requestFilters[name]}
    value=${query[name] ?? ''}
    suggestions=${suggestions}
    choose=${(/** @type {string} */ value) => change({ [name]: value === '' ? undefined : value })}
    ...${inputs[name] ?? {}}
  />`;
  return html`
    <div class="controls">
      <${Period}
        id="requests-period"
        name="period"
        value=${query['period'] ?? FIRST_PERIOD}
        options=${Object.entries(periods).map(([name, { title }]) => [name, title])}
        query=${query}
        change=${change}
      />
      <${Choice}
        id="requests-outcome"
        label="Outcome"
        value=${query['outcome'] ?? ''}
        options=${[['', 'All'], ...outcomes.map((name) => [name, formatName(name)])]}
        choose=${(/** @type {string} */ value) => change({ outcome: value === '' ? undefined : value })}
      />
      ${text('model', models)} ${text('key', keys)}
      <${TextChoice}
        id="requests-id"
        label="Find a request id"
        value=""
        placeholder="req_…"
        choose=${(/** @type {string} */ id) => id !== '' && open(id)}
      />
      <button type="button" aria-expanded=${showsMore ? 'true' : 'false'} onClick=${() => setMore(!showsMore)}>
        ${showsMore ? 'Fewer filters' : 'More filters'}
      </button>
    </div>
    ${showsMore && html`<div class="controls">${further.map((name) => text(name))}</div>`}
    <${Chosen} query=${query} change=${change} />
  `;
};
