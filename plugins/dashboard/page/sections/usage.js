/** @import { Dimension, Units, UsageQuery, UsageReport } from '../data/usage-report.js' */
import { useCallback, useState } from 'preact/hooks';
import { html } from '../components/html.js';
import { Section } from '../components/section.js';
import { Tiles } from '../components/tiles.js';
import { requestJson } from '../data/api.js';
import { formatCount, formatDollars, formatMinute, formatMs, formatNumber, formatShare } from '../data/format.js';
import { usePoll } from '../data/poll.js';
import { hasUnits, readPeriod } from '../data/usage-report.js';
import { measures } from './measures.js';
import { PromptCache } from './prompt-cache.js';
import { UsageChart } from './usage-chart.js';
import { UsageControls } from './usage-controls.js';
import { UsageTable } from './usage-table.js';

const today = () => new Date().toISOString().slice(0, 10);

/**
 * The report by bucket and the report of the whole period.
 * @param {UsageQuery} query
 * @param {AbortSignal} signal
 */
const readUsage = async (query, signal) => {
  const { from, to, bucket } = readPeriod(query, Date.now());
  const shared = new URLSearchParams({ from, to, by: query.by, ...query.only });
  const [overTime, total] = await Promise.all([
    requestJson(`/admin/usage?${shared}&bucket=${bucket}`, signal),
    requestJson(`/admin/usage?${shared}`, signal),
  ]);
  return {
    overTime: /** @type {UsageReport} */ (overTime),
    total: /** @type {UsageReport} */ (total),
    by: query.by,
  };
};

/** What was billed by unit instead of by token. @param {Units} units */
const unitTiles = (units) =>
  hasUnits(units)
    ? [
        {
          name: 'Web searches',
          value: formatCount(units.webSearches),
          note: `${formatCount(units.webFetches)} fetched pages`,
        },
        {
          name: 'Images',
          value: formatCount(units.images),
          note: `${formatNumber(units.seconds)} s of audio and video`,
        },
      ]
    : [];

/** @param {{ report: UsageReport }} props */
const Totals = ({ report: { totals } }) => html`
  <${Tiles}
    tiles=${[
      {
        name: 'Requests',
        value: formatCount(totals.exchanges),
        note: `${formatShare(totals.outcomes['ok'] ?? 0, totals.exchanges)} successful`,
      },
      {
        name: 'Cost',
        value: formatDollars(totals.cost),
        note: totals.unpriced === 0 ? 'USD' : `USD; ${formatCount(totals.unpriced)} calls without a price`,
        ...(totals.unpriced === 0 ? {} : { tone: 'warn' }),
      },
      {
        name: 'Input tokens',
        value: formatCount(totals.tokens.input),
        note: `${formatShare(totals.tokens.cacheRead, totals.tokens.input)} from the cache`,
      },
      {
        name: 'Output tokens',
        value: formatCount(totals.tokens.output),
        note: `${formatCount(totals.tokens.reasoning)} of reasoning`,
      },
      ...unitTiles(totals.units),
      { name: 'p95 latency', value: formatMs(totals.latencyMs.p95), note: `p50 ${formatMs(totals.latencyMs.p50)}` },
      {
        name: 'p95 time to first token',
        value: formatMs(totals.firstContentMs.p95),
        note: `p50 ${formatMs(totals.firstContentMs.p50)}`,
      },
    ]}
  />
`;

/** Usage and cost over time, by model, key and other dimensions. */
export const Usage = () => {
  const [query, setQuery] = useState(
    /** @type {UsageQuery} */ ({ range: '24h', from: today(), to: today(), by: 'model', only: {} }),
  );
  const [measure, setMeasure] = useState('cost');
  const load = useCallback((/** @type {AbortSignal} */ signal) => readUsage(query, signal), [query]);
  const polled = usePoll(load, 5_000, JSON.stringify(query));
  /** @param {Partial<UsageQuery>} change */
  const change = (change) => setQuery((last) => ({ ...last, ...change }));
  /** @param {Dimension} by @param {string} name */
  const choose = (by, name) => change({ only: { ...query.only, [by]: name }, by: by === 'model' ? 'key' : 'model' });

  const chosen = measures[measure] ?? measures['cost'];
  /** @param {Awaited<ReturnType<typeof readUsage>>} data */
  const show = ({ overTime, total, by }) => html`
    <${Totals} report=${total} />
    ${chosen === undefined ? null : html`<${UsageChart} report=${overTime} by=${by} measure=${chosen} />`}
    <${UsageTable} report=${total} by=${by} choose=${choose} />
    <${PromptCache} report=${total} />
  `;
  const period =
    polled.data === undefined
      ? ''
      : `${formatMinute(polled.data.total.from)} to ${formatMinute(polled.data.total.to)} UTC`;
  return html`<${Section}
    id="usage"
    title="Usage and cost"
    note=${period}
    notConfigured="The plugin ledger is not configured: add “use: ledger” to the plugins of gateway.yaml."
    polled=${polled}
    controls=${html`<${UsageControls} query=${query} change=${change} measure=${measure} setMeasure=${setMeasure} />`}
    show=${show}
  />`;
};
