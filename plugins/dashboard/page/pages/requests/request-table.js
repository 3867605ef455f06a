/** @import { File, Pages } from '../../components/table/foot.js' */
/** @import { RequestRow } from '../../data/requests.js' */
import { useState } from 'preact/hooks';
import { Outcome } from '../../components/badge.js';
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatCount, formatDollars, formatMs, formatTime } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';
import { keyOf, modelOf, readRequest } from '../../data/requests.js';
import { inBothZones } from '../../data/zone.js';
import { RequestFacts } from './request-detail.js';

/** @typedef {'small' | 'medium'} Width */
const columns = [
  { title: 'Time', isTime: true, sort: 'time' },
  { title: 'Outcome', sort: 'outcome' },
  { title: 'Model', sort: 'model', not: /** @type {Width} */ ('small') },
  { title: 'Key', sort: 'key', not: /** @type {Width} */ ('small') },
  { title: 'Duration', isNumber: true, sort: 'duration', not: /** @type {Width} */ ('small') },
  { title: 'Tokens', isNumber: true, sort: 'tokens', not: /** @type {Width} */ ('medium') },
  { title: 'Cost', isNumber: true, sort: 'cost', not: /** @type {Width} */ ('small') },
];
const unsorted = columns.map(({ sort: _sort, ...column }) => column);

/** A request that ended does not change, but one that is pending does. */
const DETAIL_MS = 10_000;

/** Reads the details of a request when its row is opened. @param {{ row: RequestRow }} props */
const Opened = ({ row }) => {
  const { data, problem } = usePoll((signal) => readRequest(row.id, signal), DETAIL_MS, row.id);
  if (problem !== undefined && data === undefined) return html`<p class="bad">${problem}</p>`;
  return data === undefined ? html`<p class="muted">Loading …</p>` : html`<${RequestFacts} request=${data} />`;
};

/** The tokens of a request: `input` includes those of the cache. @param {RequestRow} row */
const writeTokens = ({ usage }) => {
  const [input, output] = [usage?.['input'], usage?.['output']];
  if (typeof input !== 'number') return NO_VALUE;
  return html`${formatCount(input)} in
    <span class="muted below">${formatCount(typeof output === 'number' ? output : 0)} out</span>`;
};

/** @param {RequestRow} row */
const valuesOf = (row) => ({
  time: row.time,
  outcome: row.outcome,
  model: row.model ?? row.requestedModel,
  key: keyOf(row),
  duration: row.durationMs,
  tokens: Number(row.usage?.['input'] ?? 0) + Number(row.usage?.['output'] ?? 0),
  cost: row.cost === null ? null : Number(row.cost),
});

/** @param {RequestRow} row */
const nameOf = (row) => {
  const name = html`<${Path} name=${modelOf(row)} />`;
  return row.model === null && row.requestedModel ? html`${name} <span class="muted">asked for</span>` : name;
};

/** @param {RequestRow} row @param {boolean} isOpen @param {(id: string) => void} toggle */
const describeRow = (row, isOpen, toggle) => {
  const [day = '', clock = ''] = formatTime(row.time).split(' ');
  const isToday = day === formatTime(Date.now()).slice(0, 10);
  const owner = keyOf(row);
  const project = owner.slice(0, owner.lastIndexOf('/') + 1);
  return {
    key: row.id,
    values: valuesOf(row),
    cells: [
      html`<button
        type="button"
        class="link toggle"
        title=${inBothZones(row.time)}
        aria-expanded=${isOpen ? 'true' : 'false'}
        onClick=${() => toggle(row.id)}
      >
        ${clock}${isToday ? null : html`<span class="muted below">${day.slice(5)}</span>`}<span class="visually-hidden"
          >, details</span
        >
      </button>`,
      html`<${Outcome} outcome=${row.outcome} /> <span class="muted">${row.status}</span>
        <span class="only-small below muted wrap">${nameOf(row)} · ${formatMs(row.durationMs)}</span>`,
      html`<span class="wrap">${nameOf(row)}</span>
        ${row.provider !== null && html`<span class="muted below">${row.provider}</span>`}`,
      owner === ''
        ? NO_VALUE
        : html`<span class="wrap">
            <span class="muted not-medium"><${Path} name=${project} /></span>${row.key}
          </span>`,
      html`${formatMs(row.durationMs)}
        ${row.firstContentMs ? html`<span class="muted below">first ${formatMs(row.firstContentMs)}</span>` : null}`,
      writeTokens(row),
      row.cost === null ? NO_VALUE : formatDollars(row.cost),
    ],
    ...(isOpen ? { details: html`<${Opened} row=${row} />` } : {}),
  };
};

/**
 * Requests whose rows open their details.
 * @param {object} props
 * @param {readonly RequestRow[]} props.requests
 * @param {string} props.caption
 * @param {boolean} [props.isSortable] the rows of the page can be put in another order
 * @param {Pages} [props.pages]
 * @param {File} [props.file]
 */
export const RequestTable = ({ requests, caption, isSortable = false, pages, file }) => {
  const [opened, setOpened] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  /** @param {string} id */
  const toggle = (id) => setOpened((last) => last.symmetricDifference(new Set([id])));
  return html`<${Table}
    caption=${caption}
    columns=${isSortable ? columns : unsorted}
    rows=${requests.map((row) => describeRow(row, opened.has(row.id), toggle))}
    first="-time"
    pages=${pages}
    file=${file}
  />`;
};
