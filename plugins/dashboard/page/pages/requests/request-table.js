/** @import { RequestRow } from '../../data/requests.js' */
import { useCallback, useState } from 'preact/hooks';
import { Outcome } from '../../components/badge.js';
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { Table } from '../../components/table.js';
import { NO_VALUE, formatCount, formatDollars, formatMs, formatTime } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';
import { keyOf, readRequest } from '../../data/requests.js';
import { toggled } from '../../data/toggled.js';
import { RequestFacts } from './request-detail.js';

const columns = [
  { title: 'Time (UTC)' },
  { title: 'Outcome' },
  { title: 'Model', not: /** @type {const} */ ('small') },
  { title: 'Key', not: /** @type {const} */ ('small') },
  { title: 'Provider', not: /** @type {const} */ ('medium') },
  { title: 'Duration', isNumber: true },
  { title: 'First token', isNumber: true, not: /** @type {const} */ ('medium') },
  { title: 'Tokens in', isNumber: true, not: /** @type {const} */ ('medium') },
  { title: 'Tokens out', isNumber: true, not: /** @type {const} */ ('medium') },
  { title: 'Cost', isNumber: true, not: /** @type {const} */ ('small') },
];

/** A request that ended does not change, but one that is pending does. */
const DETAIL_MS = 10_000;

/** Reads the details of a request when its row is opened. @param {{ row: RequestRow }} props */
const Opened = ({ row }) => {
  const load = useCallback((/** @type {AbortSignal} */ signal) => readRequest(row.id, signal), [row.id]);
  const { data, problem } = usePoll(load, DETAIL_MS, row.id);
  if (problem !== undefined && data === undefined) return html`<p class="bad">${problem}</p>`;
  return data === undefined ? html`<p class="muted">Loading …</p>` : html`<${RequestFacts} request=${data} />`;
};

/**
 * The tokens of a request: `input` includes those of the cache.
 * @param {RequestRow} row
 * @param {'input' | 'output'} kind
 */
const tokensOf = ({ usage }, kind) => {
  const count = usage?.[kind];
  return typeof count === 'number' ? formatCount(count) : NO_VALUE;
};

/** @param {RequestRow} row @param {boolean} isOpen @param {(id: string) => void} toggle */
const describeRow = (row, isOpen, toggle) => {
  const [day = '', clock = ''] = formatTime(row.time).split(' ');
  const isToday = day === formatTime(Date.now()).slice(0, 10);
  const date = isToday ? '' : `${day.slice(5)} `;
  const owner = keyOf(row);
  const project = owner.slice(0, owner.lastIndexOf('/') + 1);
  return {
    key: row.id,
    cells: [
      html`<button
        type="button"
        class="link toggle"
        aria-expanded=${isOpen ? 'true' : 'false'}
        onClick=${() => toggle(row.id)}
      >
        <span class="muted not-small">${date}</span>${clock}<span class="visually-hidden">, details</span>
      </button>`,
      html`<${Outcome} outcome=${row.outcome} /> <span class="muted">${row.status}</span>
        <span class="only-small below muted wrap"><${Path} name=${row.model ?? ''} /></span>`,
      html`<span class="wrap"><${Path} name=${row.model ?? NO_VALUE} /></span>`,
      owner === ''
        ? NO_VALUE
        : html`<span class="wrap">
            <span class="muted not-medium"><${Path} name=${project} /></span>${row.key}
          </span>`,
      row.provider ?? NO_VALUE,
      formatMs(row.durationMs),
      row.firstContentMs ? formatMs(row.firstContentMs) : NO_VALUE,
      tokensOf(row, 'input'),
      tokensOf(row, 'output'),
      row.cost === null ? NO_VALUE : formatDollars(row.cost),
    ],
    ...(isOpen ? { details: html`<${Opened} row=${row} />` } : {}),
  };
};

/** Requests whose rows open their details. @param {{ requests: readonly RequestRow[], caption: string }} props */
export const RequestTable = ({ requests, caption }) => {
  const [opened, setOpened] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  /** @param {string} id */
  const toggle = (id) => setOpened((last) => toggled(last, id));
  return html`<${Table}
    caption=${caption}
    isCaptionHidden=${true}
    columns=${columns}
    rows=${requests.map((row) => describeRow(row, opened.has(row.id), toggle))}
  />`;
};
