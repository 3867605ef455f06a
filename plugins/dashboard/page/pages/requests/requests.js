/** @import { RequestPage, RequestQuery } from '../../data/requests.js' */
/** @import { Route } from '../../data/route.js' */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { FirstRequest } from '../../components/first-request.js';
import { html } from '../../components/html.js';
import { Page } from '../../components/page.js';
import { Panel } from '../../components/panel.js';
import { formatTime } from '../../data/format.js';
import { readNames } from '../../data/names.js';
import { usePoll } from '../../data/poll.js';
import { readRequest, requestFilters, requestPeriods, searchRequests } from '../../data/requests.js';
import { changeQuery, linkTo } from '../../data/route.js';
import { RequestFacts } from './request-detail.js';
import { RequestFilters } from './request-filters.js';
import { RequestTable } from './request-table.js';

/** @param {Readonly<Record<string, string>>} query @returns {RequestQuery} */
const readQuery = (query) => ({
  from: new Date(Date.now() - (requestPeriods[query['period'] ?? '24h']?.ms ?? 86_400_000)).toISOString(),
  ...Object.fromEntries(Object.entries(query).filter(([name]) => name in requestFilters)),
});

/**
 * The pages that are shown: the first one, which is updated, or from the first click on “Show older” the pages as they
 * were then. Updates would leave gaps between pages.
 * @param {RequestPage} first
 * @param {string} identity of the search: another one starts again
 */
const usePages = (first, identity) => {
  const [kept, setKept] = useState(/** @type {readonly RequestPage[]} */ ([]));
  const [problem, setProblem] = useState('');
  const reset = () => {
    setKept([]);
    setProblem('');
  };
  useEffect(reset, [identity]);
  const pages = kept.length === 0 ? [first] : kept;
  /** @param {RequestQuery} query @param {string} cursor */
  const load = async (query, cursor) => {
    try {
      const page = await searchRequests(query, AbortSignal.timeout(10_000), { cursor });
      setKept([...pages, page]);
      setProblem('');
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return { pages, isPaused: kept.length > 0, load, reset, problem };
};

/** @param {{ first: RequestPage, identity: string, query: Readonly<Record<string, string>> }} props */
const Found = ({ first, identity, query }) => {
  const { pages, isPaused, load, reset, problem } = usePages(first, identity);
  const requests = pages.flatMap((page) => page.requests);
  const { next, searchedTo } = pages.at(-1) ?? first;
  const isFiltered = Object.keys(query).length > 0;
  if (requests.length === 0 && next === null)
    return isFiltered
      ? html`<p class="card empty">No matching requests in this period.</p>`
      : html`<${FirstRequest} title="No requests in the last 24 hours." />`;
  return html`
    ${
      requests.length === 0
        ? html`<p class="card empty">No matching requests since ${formatTime(searchedTo ?? '')} UTC.</p>`
        : html`<${RequestTable} caption="Requests, newest first" requests=${requests} />`
    }
    <p class="actions">
      ${
        next === null
          ? null
          : html`<button type="button" onClick=${() => load(readQuery(query), next)}>Show older</button>`
      }
      ${isPaused ? html`<button type="button" onClick=${reset}>Back to the newest</button>` : null}
    </p>
    ${problem === '' ? null : html`<p class="bad" role="alert">${problem}</p>`}
  `;
};

const RECENT = 'The last 200 of this host. With the plugin ledger, all are kept.';

/** The search. @param {{ route: Route }} props */
const Search = ({ route }) => {
  const { query } = route;
  const identity = JSON.stringify(query);
  const load = useCallback((/** @type {AbortSignal} */ signal) => searchRequests(readQuery(query), signal), [identity]);
  const polled = usePoll(load, 5_000, identity);
  const names = usePoll(readNames, 60_000).data;
  return html`<${Page}
    title="Requests"
    note=${polled.data?.isRecent ? RECENT : 'Newest first, times in UTC'}
  >
    <${Panel}
      id="requests"
      title="Requests"
      isTitleHidden
      polled=${polled}
      controls=${html`<${RequestFilters}
        query=${query}
        change=${(/** @type {Readonly<Record<string, string | undefined>>} */ change) => changeQuery(route, change)}
        open=${(/** @type {string} */ id) => location.assign(linkTo('requests', { id }))}
        models=${names?.models ?? []}
        keys=${names?.keys ?? []}
      />`}
      show=${(/** @type {RequestPage} */ first) =>
        html`<${Found} first=${first} identity=${identity} query=${query} />`}
    />
  <//>`;
};

/** One request. @param {{ id: string }} props */
const Single = ({ id }) => {
  const load = useCallback(
    async (/** @type {AbortSignal} */ signal) => ({ request: await readRequest(id, signal) }),
    [id],
  );
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
