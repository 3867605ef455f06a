import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { useAction } from '../../components/submit.js';
import { Table } from '../../components/table/table.js';
import { requestJson, send } from '../../data/api.js';
import { NO_VALUE, formatTime } from '../../data/format.js';
import { usePoll, useRevision } from '../../data/poll.js';
import { useSession } from '../../data/session.js';

/**
 * @typedef {object} Item
 * @property {string} id
 * @property {string} name
 * @property {string} [subject]
 * @property {string} role
 * @property {string} since
 * @property {string} until
 * @property {string} [address]
 * @property {string} [browser]
 * @property {boolean} current
 */

const columns = [
  { title: 'Person' },
  { title: 'Since', isTime: true, not: /** @type {const} */ ('small') },
  { title: 'Until', isTime: true, not: /** @type {const} */ ('small') },
  { title: 'Address', not: /** @type {const} */ ('small') },
  { title: 'Browser', not: /** @type {const} */ ('medium') },
  { title: 'Actions' },
];

/** @param {{ item: Item, path: string, reload: () => void }} props */
const SignOut = ({ item, path, reload }) => {
  const { isBusy, problem, start } = useAction(async () => {
    await send('DELETE', `${path}/${item.id}`);
    reload();
  });
  return html`
    <button
      type="button"
      class="danger"
      disabled=${isBusy}
      aria-label=${`Sign out ${item.name}, since ${formatTime(item.since)}`}
      onClick=${start}
    >
      Sign out
    </button>
    ${problem !== '' && html`<span class="bad" role="alert">${problem}</span>`}
  `;
};

/** @param {{ items: readonly Item[], path: string, reload: () => void }} props */
const List = ({ items, path, reload }) => html`<${Table}
  caption="Open sessions"
  empty="No open sessions."
  columns=${columns}
  rows=${items.map((item) => ({
    key: item.id,
    cells: [
      html`<span class="wrap">${item.name}</span>
        <span class="muted below">${item.role}${item.subject === undefined ? '' : ` · ${item.subject}`}</span>
        <span class="muted below only-small">since ${formatTime(item.since)}</span>`,
      formatTime(item.since),
      formatTime(item.until),
      item.address ?? NO_VALUE,
      html`<span class="wrap">${item.browser ?? NO_VALUE}</span>`,
      item.current
        ? html`<span class="badge good">this session</span>`
        : html`<${SignOut} item=${item} path=${path} reload=${reload} />`,
    ],
  }))}
/>`;

/** The own sessions, for admins those of all people. */
export const Sessions = () => {
  const { role } = useSession().session.actor;
  const path = role === 'admin' ? '/admin/sessions' : '/admin/me/sessions';
  const [revision, reload] = useRevision();
  const polled = usePoll((signal) => requestJson(path, signal), 10_000, `${path} ${revision}`);
  /** @param {{ sessions: readonly Item[] }} list */
  const show = ({ sessions }) => html`<${List} items=${sessions} path=${path} reload=${reload} />`;
  return html`<${Page}
    title="Sessions"
    note=${role === 'admin' ? 'Of all people who are signed in to this gateway' : 'Where you are signed in'}
  >
    <${Panel}
      id="sessions"
      title="Sessions"
      isTitleHidden
      polled=${polled}
      notConfigured="This gateway has no sessions."
      show=${show}
    />
  <//>`;
};
