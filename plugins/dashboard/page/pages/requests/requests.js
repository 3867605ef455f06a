/** @import { RequestPage, RequestQuery } from '../../data/requests.js' */
/** @import { Route } from '../../data/route.js' */
import { FirstRequest } from '../../components/first-request.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { readPages } from '../../components/table/csv.js';
import { formatTime } from '../../data/format.js';
import { readNames } from '../../data/names.js';
import { readTimes } from '../../data/periods.js';
import { usePoll } from '../../data/poll.js';
import { readRequest, requestFilters, searchRequests } from '../../data/requests.js';
import { changeQuery, linkTo } from '../../data/route.js';
import { zoneName } from '../../data/zone.js';
import { RequestFacts } from './request-detail.js';
import { FIRST_PERIOD, RequestFilters } from './request-filters.js';
import { RequestTable } from './request-table.js';

/** @param {Readonly<Record<string, string>>} query @returns {RequestQuery} */
const readQuery = (query) => ({
  ...readTimes(query, Date.now(), FIRST_PERIOD),
  ...Object.fromEntries(Object.entries(query).filter(([name]) => name in requestFilters)),
});

/** @param {{ list: RequestPage, route: Route }} props */
const Found = ({ list, route }) => {
  const { query } = route;
  const { requests, next, searchedTo } = list;
  const isFiltered = Object.keys(query).length > 0;
  if (requests.length === 0 && next === null)
    return isFiltered
      ? html`<p class="card empty">No matching requests in this period.</p>`
      : html`<${FirstRequest} title="No requests in the last 24 hours." />`;
  const read = () =>
    readPages('requests', (cursor, signal) =>
      searchRequests(readQuery(query), signal, { cursor: cursor || undefined, limit: 500 }),
    );
  return html`
    ${
      requests.length === 0 &&
      html`<p class="card empty">
        No matching requests since ${formatTime(searchedTo ?? '')} ${zoneName()}. Older ones may follow.
      </p>`
    }
    <${RequestTable}
      caption="Requests, newest first"
      requests=${requests}
      isSortable
      pages=${{ route, next, first: 'Newest', further: 'Older' }}
      file=${{ name: 'requests.csv', read }}
    />
  `;
};

const RECENT = 'The last 200 of this host. With the plugin ledger, all are kept.';

/** The search. @param {{ route: Route }} props */
const Search = ({ route }) => {
  const { query } = route;
  const identity = JSON.stringify(query);
  const load = (/** @type {AbortSignal} */ signal) =>
    searchRequests(readQuery(query), signal, { cursor: query['cursor'] });
  const polled = usePoll(load, 5_000, identity);
  const names = usePoll(readNames, 60_000).data;
  /** @param {Readonly<Record<string, string | undefined>>} change */
  const change = (change) => changeQuery(route, { cursor: undefined, ...change });
  const order = `Newest first, times in ${zoneName()}. Columns sort the requests of the page`;
  return html`<${Page}
    title="Requests"
    note=${polled.data?.isRecent ? RECENT : order}
  >
    <${Panel}
      id="requests"
      title="Requests"
      isTitleHidden
      polled=${polled}
      controls=${html`<${RequestFilters}
        query=${query}
        change=${change}
        open=${(/** @type {string} */ id) => location.assign(linkTo('requests', { id }))}
        models=${names?.models ?? []}
        keys=${names?.keys ?? []}
      />`}
      show=${(/** @type {RequestPage} */ list) => html`<${Found} list=${list} route=${route} />`}
    />
  <//>`;
};

/** One request. @param {{ id: string }} props */
const Single = ({ id }) => {
  const load = async (/** @type {AbortSignal} */ signal) => ({ request: await readRequest(id, signal) });
  const polled = usePoll(load, 10_000, id);
  /** @param {{ request: import('../../data/requests.js').RequestDetail | undefined }} data */
  const show = ({ request }) =>
    request === undefined
      ? html`<p class="card empty">
          There is no request ${id} here. It may have been deleted after the retention of the ledger.
        </p>`
      : html`<div class="card plain"><${RequestFacts} request=${request} /></div>`;
  return html`<${Page} title="Request" note=${id} actions=${html`<a class="button" href="#/requests">All requests</a>`}>
    <${Panel} id="request" title="Request" isTitleHidden polled=${polled} show=${show} />
  <//>`;
};

/** Search of the requests, and one of them with its attempts. @param {{ route: Route }} props */
export const Requests = ({ route }) =>
  route.id === undefined ? html`<${Search} route=${route} />` : html`<${Single} id=${route.id} key=${route.id} />`;
