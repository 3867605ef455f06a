/** @import { Route } from '../../data/route.js' */
import { useState } from 'preact/hooks';
import { TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { Period } from '../../components/period.js';
import { readPages } from '../../components/table/csv.js';
import { Table } from '../../components/table/table.js';
import { requestJson, writeQuery } from '../../data/api.js';
import { NO_VALUE, formatTime } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';
import { periods, readTimes } from '../../data/periods.js';
import { changeQuery } from '../../data/route.js';

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} time
 * @property {string} actor
 * @property {string | null} [issuer]
 * @property {string | null} [subject]
 * @property {number} [count]
 * @property {string} [role]
 * @property {string} action
 * @property {string | null} [target]
 * @property {unknown} [before]
 * @property {unknown} [after]
 * @property {number} status
 * @property {string} [address]
 */
/** @typedef {{ entries: readonly Entry[], next: string | null }} AuditPage */

const FIRST = '30d';

/** @param {Readonly<Record<string, string>>} query @param {AbortSignal} signal */
const readAudit = async (query, signal) => {
  const { actor, action, cursor } = query;
  const given = writeQuery({ ...readTimes(query, Date.now(), FIRST), actor, action, cursor });
  return /** @type {AuditPage} */ (await requestJson(`/admin/audit?${given}`, signal));
};

const columns = [
  { title: 'Time', isTime: true },
  { title: 'Actor', not: /** @type {const} */ ('small') },
  { title: 'Action' },
  { title: 'Target', not: /** @type {const} */ ('small') },
  { title: 'Status' },
  { title: 'Address', not: /** @type {const} */ ('medium') },
];

/** @param {{ title: string, value: unknown }} props */
const State = ({ title, value }) =>
  value === undefined || value === null
    ? null
    : html`<h3>${title}</h3>
        <pre class="wrap">${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>`;

/** @param {Entry} entry @param {boolean} isOpen @param {(id: string) => void} toggle */
const describeEntry = (entry, isOpen, toggle) => {
  const { id, time, actor, issuer, subject, role, action, target, before, after, status, count = 1, address } = entry;
  const [day = '', hour = ''] = formatTime(time).split(' ');
  const clock = html`<span class="muted not-small">${day}${' '}</span>${hour}`;
  const hasDetails = before !== undefined && before !== null ? true : after !== undefined && after !== null;
  return {
    key: id,
    cells: [
      hasDetails
        ? html`<button
            type="button"
            class="link toggle"
            aria-expanded=${isOpen ? 'true' : 'false'}
            onClick=${() => toggle(id)}
          >
            ${clock}<span class="visually-hidden">, details</span>
          </button>`
        : clock,
      html`<span title=${issuer ?? ''}>${actor}</span>${' '}
        <span class="muted small">${[role, subject].filter(Boolean).join(' · ')}</span>`,
      html`<span class="wrap">${action}</span> <span class="only-small below muted">${day.slice(5)} · ${actor}</span>`,
      html`<span class="wrap">${target ?? NO_VALUE}</span>`,
      html`<span class=${`badge ${status < 400 ? 'good' : 'bad'}`}>${status}</span>${count > 1 ? ` × ${count}` : ''}`,
      address ?? NO_VALUE,
    ],
    ...(isOpen
      ? { details: html`<${State} title="Before" value=${before} /><${State} title="After" value=${after} />` }
      : {}),
  };
};

/** @param {{ list: AuditPage, route: Route }} props */
const List = ({ list: { entries, next }, route }) => {
  const [opened, setOpened] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  /** @param {string} id */
  const toggle = (id) => setOpened((last) => last.symmetricDifference(new Set([id])));
  const read = () => readPages('entries', (cursor, signal) => readAudit({ ...route.query, cursor }, signal));
  if (entries.length === 0 && next === null) return html`<p class="card empty">No changes in this period.</p>`;
  return html`<${Table}
    caption="Changes, newest first"
    columns=${columns}
    rows=${entries.map((entry) => describeEntry(entry, opened.has(entry.id), toggle))}
    pages=${{ route, next, first: 'Newest', further: 'Older' }}
    file=${{ name: 'audit.csv', read }}
  />`;
};

/** The log of all calls that changed something. @param {{ route: Route }} props */
export const Audit = ({ route }) => {
  const { query } = route;
  const identity = JSON.stringify(query);
  /** @param {Readonly<Record<string, string | undefined>>} change */
  const change = (change) => changeQuery(route, { cursor: undefined, ...change });
  /** @param {string} name @param {string} label @param {string} placeholder */
  const text = (name, label, placeholder) => html`<${TextChoice}
    id=${`audit-${name}`}
    label=${label}
    placeholder=${placeholder}
    value=${query[name] ?? ''}
    choose=${(/** @type {string} */ value) => change({ [name]: value })}
  />`;
  return html`<${Page} title="Audit" note="Every call of the admin API that changes something, newest first">
    <${Panel}
      id="audit"
      title="Audit log"
      isTitleHidden
      polled=${usePoll((signal) => readAudit(query, signal), 10_000, identity)}
      notConfigured="This gateway keeps no audit log."
      controls=${html`<div class="controls">
        <${Period}
          id="audit-period"
          name="period"
          value=${query['period'] ?? FIRST}
          options=${Object.entries(periods).map(([name, { title }]) => [name, title])}
          query=${query}
          change=${change}
        />
        ${text('actor', 'Actor', 'name')} ${text('action', 'Action', 'POST /admin/keys')}
      </div>`}
      show=${(/** @type {AuditPage} */ list) => html`<${List} list=${list} route=${route} />`}
    />
  <//>`;
};
