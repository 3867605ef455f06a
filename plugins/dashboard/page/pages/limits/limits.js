/** @import { LimitList } from '../../data/limits.js' */
/** @import { Route } from '../../data/route.js' */
import { Choice, TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { readPages } from '../../components/table/csv.js';
import { formatCount } from '../../data/format.js';
import { readLimits } from '../../data/limits.js';
import { usePoll } from '../../data/poll.js';
import { changeQuery } from '../../data/route.js';
import { LimitTable } from './limit-table.js';

const kinds = /** @type {const} */ ([
  ['', 'All'],
  ['budget', 'Budgets'],
  ['rate', 'Rate limits'],
]);
const states = /** @type {const} */ ([
  ['', 'All'],
  ['near', 'Used to 80% and more'],
  ['spent', 'Spent'],
]);
const FIRST = '-used';
const PAGE = '100';

/** @param {Readonly<Record<string, string>>} query */
const askFor = ({ owner: find = '', kind = '', state = '', sort = FIRST, cursor = '' }) => ({
  find,
  kind,
  state,
  sort,
  cursor,
  limit: PAGE,
});

/** @param {{ list: LimitList, route: Route }} props */
const List = ({ list: { limits, next }, route }) => {
  const { owner = '', kind = '', state = '', sort = FIRST, cursor } = route.query;
  if (limits.length === 0 && cursor === undefined)
    return owner + kind + state === ''
      ? html`<p class="card empty">
          No limits are configured. Give a key its limits on the page <a href="#/keys">Keys</a>, or an
          organization or a project on the page <a href="#/tenants">Organizations</a>.
        </p>`
      : html`<p class="card empty">No limit matches.</p>`;
  // In the order of the owners, the gateway reads no limit of another page.
  const all = { ...askFor(route.query), sort: 'owner', limit: '1000' };
  const read = () => readPages('limits', (cursor, signal) => readLimits({ ...all, cursor }, signal));
  return html`<${LimitTable}
    caption="Limits"
    limits=${limits}
    order=${{ by: sort, choose: (/** @type {string} */ by) => changeQuery(route, { sort: by, cursor: undefined }) }}
    pages=${{ route, next }}
    file=${{ name: 'limits.csv', read }}
  />`;
};

/** @param {LimitList} list */
const describeCounts = ({ store, unread }) => {
  const where = store === 'redis' ? 'Counted in Redis, over all hosts' : 'Counted by this host';
  return unread === 0 ? where : `${where}, without earlier spending of ${formatCount(unread)} budgets`;
};

/** @param {{ route: Route, change: (change: Readonly<Record<string, string>>) => void }} props */
const Filters = ({ route: { query }, change }) => html`<div class="controls">
  <${TextChoice}
    id="limits-owner"
    label="Owner"
    type="search"
    isWide
    placeholder="organization/project/key"
    value=${query['owner'] ?? ''}
    choose=${(/** @type {string} */ owner) => change({ owner })}
  />
  <${Choice}
    id="limits-kind"
    label="Kind"
    value=${query['kind'] ?? ''}
    options=${kinds}
    choose=${(/** @type {string} */ kind) => change({ kind })}
  />
  <${Choice}
    id="limits-state"
    label="Show"
    value=${query['state'] ?? ''}
    options=${states}
    choose=${(/** @type {string} */ state) => change({ state })}
  />
</div>`;

/** The utilization of limits and budgets. @param {{ route: Route }} props */
export const Limits = ({ route }) => {
  const query = askFor(route.query);
  const identity = JSON.stringify(query);
  const polled = usePoll((signal) => readLimits(query, signal), 5_000, identity);
  /** @param {Readonly<Record<string, string | undefined>>} change */
  const change = (change) => changeQuery(route, { cursor: undefined, ...change });
  return html`<${Page} title="Limits" note=${polled.data === undefined ? undefined : describeCounts(polled.data)}>
    <${Panel}
      id="limits"
      title="Limits and budgets"
      isTitleHidden
      notConfigured="The plugin rate-limit is not configured: add “use: rate-limit” to the plugins of gateway.yaml."
      polled=${polled}
      controls=${html`<${Filters} route=${route} change=${change} />`}
      show=${(/** @type {LimitList} */ list) => html`<${List} list=${list} route=${route} />`}
    />
  <//>`;
};
