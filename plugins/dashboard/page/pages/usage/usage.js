/** @import { Route } from '../../data/route.js' */
/** @import { Dimension, Figures, Units, UsageQuery, UsageReport } from '../../data/usage-report.js' */
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { Tiles } from '../../components/tiles.js';
import { requestJson } from '../../data/api.js';
import * as format from '../../data/format.js';
import { MAX_SERIES } from '../../charts/colors.js';
import { usePoll } from '../../data/poll.js';
import { changeQuery } from '../../data/route.js';
import { hasUnits, readPeriod, readUsageQuery } from '../../data/usage-report.js';
import { zoneName } from '../../data/zone.js';
import { measures } from './measures.js';
import { UsageChart } from './usage-chart.js';
import { UsageControls } from './usage-controls.js';
import { UsageTable } from './usage-table.js';

/** Lines of the table. The rest are in the CSV. */
const MAX_ROWS = 100;

/**
 * The report by bucket, the report of the whole period, and the figures of the period before.
 * @param {UsageQuery} query
 * @param {string} sort the measure of the chart
 * @param {AbortSignal} signal
 */
const readUsage = async (query, sort, signal) => {
  const { from, to, bucket } = readPeriod(query, Date.now());
  const shared = new URLSearchParams({ from, to, by: query.by, ...query.only });
  const [overTime, total] = /** @type {[UsageReport, UsageReport]} */ (
    await Promise.all([
      requestJson(`/admin/usage?${shared}&bucket=${bucket}&compare=previous&sort=${sort}&top=${MAX_SERIES}`, signal),
      requestJson(`/admin/usage?${shared}&percentiles=true&sort=${sort}&top=${MAX_ROWS}`, signal),
    ])
  );
  return {
    overTime,
    total,
    before: overTime.previous?.totals ?? total.totals,
    by: query.by,
    csv: { total: `/admin/usage?${shared}&format=csv`, overTime: `/admin/usage?${shared}&bucket=${bucket}&format=csv` },
  };
};

/** What was billed by unit instead of by token. @param {Units} units */
const unitTiles = (units) =>
  hasUnits(units)
    ? [
        {
          name: 'Web searches',
          value: format.formatCount(units.webSearches),
          note: `${format.formatCount(units.webFetches)} fetched pages`,
        },
        {
          name: 'Images',
          value: format.formatCount(units.images),
          note: `${format.formatNumber(units.seconds)} s of audio and video`,
        },
      ]
    : [];

/** @param {number} now @param {number} before */
const describeChange = (now, before) => {
  const change = format.formatChange(now, before);
  return change === undefined ? 'none before' : `${change} vs. previous period`;
};

/** @param {{ totals: Figures, before: Figures }} props */
const Totals = ({ totals, before }) => html`
  <${Tiles}
    tiles=${[
      {
        name: 'Requests',
        value: format.formatCount(totals.exchanges),
        note: describeChange(totals.exchanges, before.exchanges),
      },
      {
        name: 'Success rate',
        value: format.formatRate(totals.successRate),
        note: `${format.formatRate(before.successRate)} in the previous period`,
      },
      {
        name: 'Cost',
        value: format.formatDollars(totals.cost),
        note:
          totals.unpriced === 0
            ? describeChange(Number(totals.cost), Number(before.cost))
            : `${format.formatCount(totals.unpriced)} calls without a price`,
        ...(totals.unpriced === 0 ? {} : { tone: 'warn' }),
      },
      {
        name: 'Input tokens',
        value: format.formatCompact(totals.tokens.input),
        note: `${format.formatShare(totals.tokens.cacheRead, totals.tokens.input)} from the cache`,
      },
      {
        name: 'Output tokens',
        value: format.formatCompact(totals.tokens.output),
        note: `${format.formatCompact(totals.tokens.reasoning)} of reasoning`,
      },
      ...unitTiles(totals.units),
      {
        name: 'p95 latency',
        value: format.formatMs(totals.latencyMs.p95),
        note: `p50 ${format.formatMs(totals.latencyMs.p50)}, ± 9%`,
      },
      {
        name: 'p95 time to first token',
        value: format.formatMs(totals.firstContentMs.p95),
        note: `p50 ${format.formatMs(totals.firstContentMs.p50)}, ± 9%`,
      },
    ]}
  />
`;

/** Savings of prompt caches in the selected period. @param {{ report: UsageReport }} props */
const PromptCache = ({ report: { totals } }) => {
  const { tokens, cache } = totals;
  return html`
    <div class="panel-head"><h2>Prompt cache</h2></div>
    <${Tiles}
      tiles=${[
        {
          name: 'Saved',
          value: format.formatDollars(cache.saved),
          note: 'by reads, less the cost of writes',
          ...(Number(cache.saved) < 0 ? { tone: 'warn' } : {}),
        },
        {
          name: 'Cache lost to failover',
          value: format.formatDollars(cache.lost),
          note: 'paid again at another target',
        },
        {
          name: 'Cached input',
          value: format.formatShare(tokens.cacheRead, tokens.input),
          note: `of ${format.formatCompact(tokens.input)} tokens`,
        },
        { name: 'Tokens read', value: format.formatCompact(tokens.cacheRead) },
        {
          name: 'Tokens written',
          value: format.formatCompact(tokens.cacheWrite5m + tokens.cacheWrite1h + tokens.cacheWrite12h),
          note: `${format.formatCompact(tokens.cacheWrite1h)} with a lifetime of 1 h`,
        },
      ]}
    />
  `;
};

/** Usage and cost over time, by model, key and other dimensions. @param {{ route: Route }} props */
export const Usage = ({ route }) => {
  const { measure: chosen = 'cost' } = route.query;
  const measure = chosen in measures ? chosen : 'cost';
  const query = readUsageQuery(route.query);
  const identity = JSON.stringify([query, measure]);
  const polled = usePoll((signal) => readUsage(query, measure, signal), 5_000, identity);
  /** @param {Readonly<Record<string, string | undefined>>} change */
  const change = (change) => changeQuery(route, change);
  /** @param {Dimension} by @param {string} name */
  const choose = (by, name) => change({ [by]: name, by: by === 'model' ? 'key' : 'model' });
  /** @param {Awaited<ReturnType<typeof readUsage>>} data */
  const show = ({ overTime, total, before, by }) => html`
    <${Totals} totals=${total.totals} before=${before} />
    <${UsageChart} report=${overTime} by=${by} measure=${measures[measure] ?? measures['cost']} />
    <${UsageTable} report=${total} by=${by} choose=${choose} />
    <${PromptCache} report=${total} />
  `;
  const { data } = polled;
  const period =
    data === undefined
      ? 'Requests, tokens and cost'
      : `${format.formatMinute(data.total.from)} to ${format.formatMinute(data.total.to)} ${zoneName()}`;
  const exports =
    data === undefined
      ? undefined
      : html`<a class="button" href=${data.csv.total} download>Export CSV</a>
          <a class="button" href=${data.csv.overTime} download>Export CSV over time</a>`;
  return html`<${Page} title="Usage" note=${period} actions=${exports}>
    <${Panel}
      id="usage"
      title="Usage and cost"
      isTitleHidden
      notConfigured="The plugin ledger is not configured: add “use: ledger” to the plugins of gateway.yaml."
      polled=${polled}
      controls=${html`<${UsageControls} query=${query} change=${change} measure=${measure} />`}
      show=${show}
    />
  <//>`;
};
