/** @import { Dimension, Figures, UsageReport } from '../../data/usage-report.js' */
import { HealthStrip } from '../../charts/health-strip.js';
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
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
  const period = readPeriod({ range, from: '', to: '', by: 'model', only: {} }, Date.now());
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

const columns = [
  { title: 'Health' },
  { title: 'Success rate', isNumber: true, sort: 'rate' },
  { title: 'Requests', isNumber: true, sort: 'requests', not: /** @type {const} */ ('small') },
  { title: 'Failures', isNumber: true, sort: 'failures', not: /** @type {const} */ ('small') },
  { title: 'p50 latency', isNumber: true, sort: 'p50', not: /** @type {const} */ ('medium') },
  { title: 'p95 latency', isNumber: true, sort: 'p95', not: /** @type {const} */ ('medium') },
  { title: 'p95 first token', isNumber: true, sort: 'first', not: /** @type {const} */ ('medium') },
  { title: 'Cost', isNumber: true, sort: 'cost', not: /** @type {const} */ ('small') },
];

/** @param {Figures} line @param {string} by @param {string} name */
const describeFigures = (line, by, name) => {
  const { success, failure, requests } = countOutcomes(line, by);
  return [
    formatRate(successRate({ success, failure })),
    formatCount(requests),
    line.failure === 0
      ? formatCount(failure)
      : html`<a href=${linkTo('requests', { query: { [by]: name, period: '30d', outcome: 'failure' } })}
          >${formatCount(failure)}</a
        >`,
    formatMs(line.latencyMs.p50),
    formatMs(line.latencyMs.p95),
    formatMs(line.firstContentMs.p95),
    formatDollars(line.cost),
  ];
};

/** @param {Figures} line @param {string} by @param {string} name */
const valuesOf = (line, by, name) => {
  const { success, failure, requests } = countOutcomes(line, by);
  return {
    name,
    rate: successRate({ success, failure }),
    requests,
    failures: failure,
    p50: line.latencyMs.p50,
    p95: line.latencyMs.p95,
    first: line.firstContentMs.p95,
    cost: Number(line.cost),
  };
};

/** @param {{ health: Health, by: 'provider' | 'model' }} props */
export const HealthTable = ({ health, by }) => {
  const { total, parts } = health[by];
  const starts = listBucketStarts(parts);
  const lines = total.lines.filter((line) => String(line[by]) !== '');
  if (lines.length === 0) return html`<p class="card empty">No requests in this period.</p>`;
  return html`<${Table}
    caption=${by === 'provider' ? 'Health of providers' : 'Health of models'}
    columns=${[{ title: by === 'provider' ? 'Provider' : 'Model', sort: 'name' }, ...columns]}
    rows=${lines.map((line) => {
      const name = String(line[by]);
      return {
        key: name,
        values: valuesOf(line, by, name),
        cells: [
          html`<span class="wrap"><${Path} name=${name} /></span>`,
          html`<${HealthStrip}
            name=${name}
            parts=${listParts(parts, by, name)}
            nameOf=${(/** @type {number} */ index) => `${formatMinute(starts[index] ?? 0)} ${zoneName()}`}
          />`,
          ...describeFigures(line, by, name),
        ],
      };
    })}
    first="-requests"
    file=${{ name: `health-of-${by}s.csv`, read: () => lines }}
  />`;
};
