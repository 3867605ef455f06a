/** @import { Dimension, Figures, UsageReport } from '../../data/usage-report.js' */
import { HealthStrip } from '../../charts/health-strip.js';
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { figure, valuesOf } from '../../components/table/figures.js';
import { Table } from '../../components/table/table.js';
import { requestJson } from '../../data/api.js';
import { formatCount, formatDollars, formatMinute, formatMs, formatRate } from '../../data/format.js';
import { successRate } from '../../data/outcomes.js';
import { linkTo } from '../../data/route.js';
import { listBucketStarts, readPeriod } from '../../data/usage-report.js';
import { zoneName } from '../../data/zone.js';

/**
 * Periods of the strips: each cell is an hour, or a day.
 * @type {Readonly<Record<string, { title: string, cell: string }>>}
 */
export const healthRanges = {
  '24h': { title: 'Last 24 hours', cell: 'hour' },
  '30d': { title: 'Last 30 days', cell: 'day' },
  '90d': { title: 'Last 90 days', cell: 'day' },
};

/** Providers and models that are shown: those with the most requests. */
const MOST = '100';

/** @param {string} range @param {AbortSignal} signal */
export const readHealth = async (range, signal) => {
  const period = readPeriod({ range, from: '', to: '' }, Date.now());
  const shared = { from: period.from, to: period.to, top: MOST, sort: 'exchanges' };
  /** @param {Dimension} by @param {object} [more] */
  const read = async (by, more) =>
    /** @type {UsageReport} */ (
      await requestJson(`/admin/usage?${new URLSearchParams({ ...shared, by, ...more })}`, signal)
    );
  const { bucket } = period;
  const [provider, model, providerParts, modelParts] = await Promise.all([
    read('provider', { percentiles: 'true' }),
    read('model', { percentiles: 'true' }),
    read('provider', { bucket }),
    read('model', { bucket }),
  ]);
  return { provider: { total: provider, parts: providerParts }, model: { total: model, parts: modelParts } };
};
/** @typedef {Awaited<ReturnType<typeof readHealth>>} Health */

const NONE = { success: 0, failure: 0 };

/** @param {UsageReport} parts @param {'provider' | 'model'} by @param {string} name */
const listParts = (parts, by, name) => {
  const found = new Map(
    parts.lines
      .filter((line) => line[by] === name)
      .map((line) => /** @type {const} */ ([Date.parse(line.start ?? ''), countOutcomes(line, by)])),
  );
  return listBucketStarts(parts).map((start) => found.get(start) ?? NONE);
};

/**
 * A failed attempt counts for its provider, also if another attempt answered the request. A model has one outcome per
 * request.
 * @param {Figures} line @param {string} by
 */
const countOutcomes = ({ success, failure, exchanges, retried }, by) => {
  const more = by === 'provider' ? retried : 0;
  return { success, failure: failure + more, requests: exchanges + more };
};

/** @param {'provider' | 'model'} by */
const listFigures = (by) => [
  figure('Success rate', 'rate', (line) => successRate(countOutcomes(line, by)), formatRate),
  figure('Requests', 'requests', (line) => countOutcomes(line, by).requests, formatCount, 'small'),
  figure(
    'Failures',
    'failures',
    (line) => countOutcomes(line, by).failure,
    (failures, line) =>
      line.failure === 0
        ? formatCount(failures)
        : html`<a
            href=${linkTo('requests', { query: { [by]: String(line[by]), period: '30d', outcome: 'failure' } })}
            >${formatCount(failures)}</a
          >`,
    'small',
  ),
  figure('p50 latency', 'p50', ({ latencyMs }) => latencyMs.p50, formatMs, 'medium'),
  figure('p95 latency', 'p95', ({ latencyMs }) => latencyMs.p95, formatMs, 'medium'),
  figure('p95 first token', 'first', (line) => line.firstContentMs.p95, formatMs, 'medium'),
  figure('Cost', 'cost', ({ cost }) => Number(cost), formatDollars, 'small'),
];

/** @param {{ health: Health, by: 'provider' | 'model' }} props */
export const HealthTable = ({ health, by }) => {
  const { total, parts } = health[by];
  const starts = listBucketStarts(parts);
  const figures = listFigures(by);
  const lines = total.lines.filter((line) => String(line[by]) !== '');
  return html`<${Table}
    caption=${by === 'provider' ? 'Health of providers' : 'Health of models'}
    empty="No requests in this period."
    columns=${[{ title: by === 'provider' ? 'Provider' : 'Model', sort: 'name' }, { title: 'Health' }, ...figures]}
    rows=${lines.map((line) => {
      const name = String(line[by]);
      return {
        key: name,
        values: { name, ...valuesOf(figures, line) },
        cells: [
          html`<span class="wrap"><${Path} name=${name} /></span>`,
          html`<${HealthStrip}
            name=${name}
            parts=${listParts(parts, by, name)}
            nameOf=${(/** @type {number} */ index) => `${formatMinute(starts[index] ?? 0)} ${zoneName()}`}
          />`,
          ...figures.map(({ write }) => write(line)),
        ],
      };
    })}
    first="-requests"
    file=${{ name: `health-of-${by}s.csv`, read: () => lines }}
  />`;
};
