/** @import { Dimension, UsageReport } from '../../data/usage-report.js' */
/** @import { Measure } from './measures.js' */
import { Chart } from '../../charts/chart.js';
import { html } from '../../components/html.js';
import { Table } from '../../components/table/table.js';
import { formatBucket, formatMinute } from '../../data/format.js';
import { listBucketStarts, nameOf, titleOf } from '../../data/usage-report.js';
import { zoneName } from '../../data/zone.js';

/**
 * One series for each of the largest groups, which are the lines of the report, and one for all others.
 * @param {UsageReport} report
 * @param {Dimension} by
 * @param {Measure} measure
 */
const groupSeries = (report, by, { read }) => {
  const starts = listBucketStarts(report);
  const indexOf = new Map(starts.map((start, index) => [start, index]));
  /** @type {Map<string, number[]>} */
  const values = new Map();
  for (const line of report.lines) {
    const name = nameOf(line, by) || 'none';
    const series = values.get(name) ?? starts.map(() => 0);
    const index = indexOf.get(Date.parse(line.start ?? ''));
    if (index !== undefined) series[index] = (series[index] ?? 0) + read(line);
    values.set(name, series);
  }
  /** @param {readonly number[]} series */
  const total = (series) => series.reduce((sum, value) => sum + value, 0);
  const sorted = [...values]
    .map(([name, series]) => ({ name, values: series }))
    .sort((one, other) => total(other.values) - total(one.values));
  const { other = [], groups = 0 } = report;
  if (other.length === 0) return { starts, series: sorted };
  const rest = new Map(other.map((line) => /** @type {const} */ ([Date.parse(line.start ?? ''), read(line)])));
  const others = { name: `${groups - sorted.length} others`, values: starts.map((start) => rest.get(start) ?? 0) };
  return { starts, series: [...sorted, others] };
};

/**
 * The data of the chart as a table, for readers who do not see it.
 * @typedef {{ name: string, values: readonly number[] }} NamedSeries
 * @typedef {{ title: string, starts: readonly number[], series: readonly NamedSeries[] }} FigureProps
 * @param {FigureProps & { sums: readonly number[], measure: Measure }} props
 */
const UsageFigures = ({ title, starts, series, sums, measure }) => {
  const columns = [
    { title: 'From', isTime: true },
    ...series.map(({ name }) => ({ title: name, isNumber: true })),
    { title: 'Total', isNumber: true },
  ];
  const rows = starts.map((start, index) => ({
    key: String(start),
    cells: [
      formatMinute(start),
      ...series.map(({ values }) => measure.format(values[index] ?? 0)),
      measure.format(sums[index] ?? 0),
    ],
  }));
  return html`<${Table} caption=${title} columns=${columns} rows=${rows} />`;
};

/** @param {{ report: UsageReport, by: Dimension, measure: Measure }} props */
export const UsageChart = ({ report, by, measure }) => {
  const { starts, series } = groupSeries(report, by, measure);
  const sums = starts.map((_start, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const peak = Math.max(0, ...sums);
  const times = starts.map((start) => start / 1_000);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const half = times.length > 1 ? (last - first) / (times.length - 1) / 2 : 1_800;
  const title = `${measure.title} by ${titleOf(by).toLowerCase()} and ${report.bucket ?? ''}`;
  const peakText =
    peak === 0
      ? ''
      : `, peak at ${formatMinute(starts[sums.indexOf(peak)] ?? 0)} ${zoneName()} with ${measure.format(peak)}`;
  const total = measure.format(measure.read(report.totals));
  const summary = `${title}: ${total} in total${peakText}. The table below has the same data.`;
  return html`
    <${Chart}
      title=${title}
      note=${total}
      summary=${summary}
      times=${times}
      series=${series}
      shape="bars"
      unit=${measure.unit}
      span=${[first - half, last + half]}
      marks=${times}
      formatMark=${(/** @type {number} */ time) => formatBucket(report.bucket, time * 1_000)}
      formatTime=${(/** @type {number} */ time) => `${formatMinute(time * 1_000)} ${zoneName()}`}
      formatValue=${measure.format}
    >
      ${series.length === 0 && html`<p class="muted">No usage in this period.</p>`}
      <details>
        <summary>Show as table</summary>
        <${UsageFigures} title=${title} starts=${starts} series=${series} sums=${sums} measure=${measure} />
      </details>
    <//>
  `;
};
