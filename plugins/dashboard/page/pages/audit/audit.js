/** @import { Route } from '../../data/route.js' */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Choice, TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { Page } from '../../components/page.js';
import { Panel } from '../../components/panel.js';
import { Table } from '../../components/table.js';
import { requestJson } from '../../data/api.js';
import { NO_VALUE, formatTime } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';
import { requestPeriods } from '../../data/requests.js';
import { changeQuery } from '../../data/route.js';
import { toggled } from '../../data/toggled.js';

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

/** @type {typeof requestPeriods} */
const periods = { ...requestPeriods, '1y': { title: 'Last 365 days', ms: 31_536_000_000 } };
const FIRST = '30d';

/** @param {Readonly<Record<string, string>>} query @param {AbortSignal} signal @param {string} [cursor] */
const readAudit = async ({ period = FIRST, actor, action }, signal, cursor) => {
  const from = new Date(Date.now() - (periods[period]?.ms ?? 0)).toISOString();
  const given = Object.entries({ from, actor, action, cursor }).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [/** @type {[string, string]} */ ([name, value])],
  );
  return /** @type {AuditPage} */ (await requestJson(`/admin/audit?${new URLSearchParams(given)}`, signal));
};

const columns = [
  { title: 'Time (UTC)' },
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
      html`<span title=${issuer ?? ''}>${actor}</span>
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

/** @param {{ first: AuditPage, query: Readonly<Record<string, string>> }} props */
const List = ({ first, query }) => {
  const [opened, setOpened] = useState(/** @type {ReadonlySet<string>} */ (new Set()));
  const [older, setOlder] = useState(/** @type {readonly AuditPage[]} */ ([]));
  useEffect(() => setOlder([]), [JSON.stringify(query)]);
  /** @param {string} id */
  const toggle = (id) => setOpened((last) => toggled(last, id));
  const entries = new Map([first, ...older].flatMap((page) => page.entries).map((entry) => [entry.id, entry]));
  const next = (older.at(-1) ?? first).next;
  /** @param {string} cursor */
  const showOlder = async (cursor) => {
    const page = await readAudit(query, AbortSignal.timeout(10_000), cursor);
    setOlder((pages) => [...pages, page]);
  };
  if (entries.size === 0) return html`<p class="card empty">No changes in this period.</p>`;
  return html`
    <${Table}
      caption="Changes, newest first"
      isCaptionHidden=${true}
      columns=${columns}
      rows=${[...entries.values()].map((entry) => describeEntry(entry, opened.has(entry.id), toggle))}
    />
    ${next === null ? null : html`<button type="button" onClick=${() => showOlder(next)}>Show older</button>`}
  `;
};

/** The log of all calls that changed something. @param {{ route: Route }} props */
export const Audit = ({ route }) => {
  const { query } = route;
  const identity = JSON.stringify(query);
  const load = useCallback((/** @type {AbortSignal} */ signal) => readAudit(query, signal), [identity]);
  /** @param {string} name @param {string} label @param {string} placeholder */
  const text = (name, label, placeholder) => html`<${TextChoice}
    id=${`audit-${name}`}
    label=${label}
    placeholder=${placeholder}
    value=${query[name] ?? ''}
    choose=${(/** @type {string} */ value) => changeQuery(route, { [name]: value })}
  />`;
  return html`<${Page} title="Audit" note="Every call of the admin API that changes something, newest first">
    <${Panel}
      id="audit"
      title="Audit log"
      isTitleHidden
      polled=${usePoll(load, 10_000, identity)}
      notConfigured="This gateway keeps no audit log."
      controls=${html`<div class="controls">
        <${Choice}
          id="audit-period"
          label="Period"
          value=${query['period'] ?? FIRST}
          options=${Object.entries(periods).map(([name, { title }]) => [name, title])}
          choose=${(/** @type {string} */ period) => changeQuery(route, { period })}
        />
        ${text('actor', 'Actor', 'name')} ${text('action', 'Action', 'POST /admin/keys')}
      </div>`}
      show=${(/** @type {AuditPage} */ first) => html`<${List} first=${first} query=${query} />`}
    />
  <//>`;
};
