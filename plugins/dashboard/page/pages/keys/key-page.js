/** @import { Key } from '../../data/keys.js' */
/** @import { LimitList } from '../../data/limits.js' */
/** @import { RequestPage } from '../../data/requests.js' */
/** @import { UsageReport } from '../../data/usage-report.js' */
import { Badge } from '../../components/badge.js';
import { Facts } from '../../components/facts.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { Tiles } from '../../components/tiles.js';
import { requestJson } from '../../data/api.js';
import * as format from '../../data/format.js';
import { identityOf, readKey, stateOf, writeHostedTools } from '../../data/keys.js';
import { readLimits, summarizeLimit } from '../../data/limits.js';
import { usePoll, useRevision } from '../../data/poll.js';
import { searchRequests } from '../../data/requests.js';
import { linkTo } from '../../data/route.js';
import { readPeriod } from '../../data/usage-report.js';
import { inBothZones } from '../../data/zone.js';
import { LimitTable } from '../limits/limit-table.js';
import { RequestTable } from '../requests/request-table.js';
import { KeyActions } from './key-actions.js';

const DAY = 86_400_000;

/** @param {Readonly<Record<string, string>> | undefined} pairs */
const listPairs = (pairs = {}) =>
  Object.entries(pairs)
    .map((pair) => pair.join('='))
    .join(', ');

/** @param {{ item: Key }} props */
const Settings = ({ item }) => html`<div class="card plain">
  <${Facts}
    facts=${[
      ['State', html`<${Badge} state=${stateOf(item)} />`],
      ['Kept in', item.origin === 'configuration' ? 'gateway.yaml: it is changed in the file' : 'the database'],
      ['Owner', item.owner],
      ['Prefix', item.prefix === undefined ? undefined : html`<code>${item.prefix}</code>`],
      ['Models', item.models.length === 0 ? 'all' : item.models.join(', ')],
      [
        'Limits',
        item.limits === undefined
          ? 'those of its project or organization'
          : item.limits.map(summarizeLimit).join(', ') || 'none',
      ],
      ['Expires', item.expiresAt === undefined ? 'never' : inBothZones(item.expiresAt)],
      ['Created', item.createdAt === undefined ? undefined : inBothZones(item.createdAt)],
      ['Losses in translation', item.losses],
      ['State kept by vendors', item.vendorState],
      ['Cost in response headers', item.costHeaders],
      ['Hosted tools', writeHostedTools(item.hostedTools) || undefined],
      ['Tags', listPairs(item.tags)],
      ['Metadata', listPairs(item.metadata)],
    ]}
  />
</div>`;

/** The limits that apply to a key: its own, and the shared ones. @param {{ item: Key }} props */
const KeyLimits = ({ item: { organization, project, name } }) => {
  const query = { organization, project, key: name };
  const identity = JSON.stringify(query);
  /** @param {LimitList} list */
  const show = ({ limits }) =>
    html`<${LimitTable} caption="Limits of this key" empty="No limits apply to this key." limits=${limits} />`;
  return html`<${Panel}
    id="key-limits-used"
    title="Limits and budgets"
    note="Its own, and those it shares"
    polled=${usePoll((signal) => readLimits(query, signal), 5_000, identity)}
    notConfigured="The plugin rate-limit is not configured: limits are not enforced."
    show=${show}
  />`;
};

/** @param {{ identity: string }} props */
const KeyUsage = ({ identity }) => {
  const load = async (/** @type {AbortSignal} */ signal) => {
    const { from, to } = readPeriod({ range: '24h', from: '', to: '' }, Date.now());
    const query = new URLSearchParams({ from, to, key: identity, percentiles: 'true' });
    return /** @type {UsageReport} */ (await requestJson(`/admin/usage?${query}`, signal));
  };
  return html`<${Panel}
    id="key-usage"
    title="Usage"
    note="Last 24 hours"
    end=${html`<a href=${linkTo('usage', { query: { key: identity } })}>All usage</a>`}
    polled=${usePoll(load, 10_000, identity)}
    notConfigured="The plugin ledger is not configured: add “use: ledger” to the plugins of gateway.yaml."
    show=${(/** @type {UsageReport} */ { totals }) => html`<${Tiles}
      tiles=${[
        { name: 'Requests', value: format.formatCount(totals.exchanges) },
        { name: 'Success rate', value: format.formatRate(totals.successRate) },
        { name: 'Cost', value: format.formatDollars(totals.cost) },
        { name: 'Input tokens', value: format.formatCompact(totals.tokens.input) },
        { name: 'Output tokens', value: format.formatCompact(totals.tokens.output) },
        { name: 'p95 latency', value: format.formatMs(totals.latencyMs.p95) },
      ]}
    />`}
  />`;
};

/** @param {{ identity: string }} props */
const KeyRequests = ({ identity }) => {
  const load = (/** @type {AbortSignal} */ signal) =>
    searchRequests({ key: identity, from: new Date(Date.now() - DAY).toISOString() }, signal, { limit: 10 });
  const failures = { key: identity, outcome: 'failure', period: '30d' };
  return html`<${Panel}
    id="key-requests"
    title="Latest requests"
    end=${html`<a href=${linkTo('requests', { query: failures })}>Failures</a>
      <a href=${linkTo('requests', { query: { key: identity } })}>All requests</a>`}
    polled=${usePoll(load, 5_000, identity)}
    show=${(/** @type {RequestPage} */ { requests }) =>
      requests.length === 0
        ? html`<p class="card empty">No requests in the last 24 hours.</p>`
        : html`<${RequestTable} caption="Latest requests of this key" requests=${requests.slice(0, 10)} />`}
  />`;
};

/** One key: its settings, what it used, and what can be done with it. @param {{ id: string }} props */
export const KeyPage = ({ id }) => {
  const [revision, reload] = useRevision();
  const polled = usePoll((signal) => readKey(id, signal), 10_000, String(revision));
  const found = polled.data ?? undefined;
  const identity = found === undefined ? id : identityOf(found);
  return html`<${Page}
    title=${found?.name ?? 'Key'}
    note=${found === undefined ? id : `${found.organization}/${found.project}`}
    actions=${found === undefined ? undefined : html`<${KeyActions} item=${found} reload=${reload} />`}
  >
    <${Panel}
      id="key"
      title="Settings"
      isTitleHidden
      polled=${polled}
      notConfigured="This gateway has no keys."
      show=${() =>
        found === undefined
          ? html`<p class="card empty">There is no key ${id}. <a href="#/keys">All keys</a></p>`
          : html`
              <${Settings} item=${found} />
              <${KeyLimits} item=${found} />
              <${KeyUsage} identity=${identity} />
              <${KeyRequests} identity=${identity} />
            `}
    />
  <//>`;
};
