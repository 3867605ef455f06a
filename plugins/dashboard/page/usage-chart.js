/** @import { Dimension, UsageReport } from './usage-report.js' */
/** @import { Measure } from './measures.js' */
import { Chart } from './chart.js';
import { MOST_SERIES } from './colors.js';
import { writeBucket, writeMinute } from './format.js';
import { html } from './html.js';
import { Legend } from './legend.js';
import { Table } from './table.js';
import { dimensions, listStarts } from './usage-report.js';

/**
 * The greatest as series of their own, the rest as one.
 * @param {UsageReport} report
 * @param {Dimension} by
 * @param {Measure} measure
 */
const divide = (report, by, { read }) => {
  const starts = listStarts(report);
  const places = new Map(starts.map((start, index) => [start, index]));
  /** @type {Map<string, number[]>} */
  const values = new Map();
  for (const line of report.lines) {
    const name = String(line[by]);
    const its = values.get(name) ?? starts.map(() => 0);
    const place = places.get(Date.parse(line.start ?? ''));
    if (place !== undefined) its[place] = (its[place] ?? 0) + read(line);
    values.set(name, its);
  }
  /** @param {readonly number[]} its */
  const total = (its) => its.reduce((sum, value) => sum + value, 0);
  const sorted = [...values]
    .map(([name, its]) => ({ name, values: its }))
    .sort((one, other) => total(other.values) - total(one.values));
  const rest = sorted.slice(MOST_SERIES);
  return {
    starts,
    series:
      rest.length === 0
        ? sorted
        : [
            ...sorted.slice(0, MOST_SERIES),
            {
              name: `${rest.length} others`,
              values: starts.map((_start, index) => total(rest.map((one) => one.values[index] ?? 0))),
            },
          ],
  };
};

/** @param {{ report: UsageReport, by: Dimension, measure: Measure }} props */
export const UsageChart = ({ report, by, measure }) => {
  const { starts, series } = divide(report, by, measure);
  const sums = starts.map((_start, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(0, ...sums);
  const times = starts.map((start) => start / 1_000);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const half = times.length > 1 ? (last - first) / (times.length - 1) / 2 : 1_800;
  const title = `${measure.title} by ${dimensions[by].toLowerCase()} and ${report.bucket ?? ''}`;
  const summary = `${title}: ${measure.write(measure.read(report.totals))} in all${most === 0 ? '' : `, most at ${writeMinute(starts[sums.indexOf(most)] ?? 0)} UTC with ${measure.write(most)}`}. The same stands in the table below.`;
  return html`
    <figure class="card">
      <figcaption>${title}</figcaption>
      <${Chart}
        summary=${summary}
        times=${times}
        series=${series}
        shape="bars"
        unit=${measure.unit}
        span=${[first - half, last + half]}
        marks=${times}
        writeMark=${(/** @type {number} */ time) => writeBucket(report.bucket, time * 1_000)}
      />
      ${series.length === 0 ? html`<p class="soft empty">Nothing was used in this time.</p>` : html`<${Legend} names=${series.map(({ name }) => name)} />`}
      <details>
        <summary>The chart as a table</summary>
        <${Table}
          caption=${title}
          isCaptionHidden=${true}
          columns=${[{ title: 'From (UTC)' }, ...series.map(({ name }) => ({ title: name, isNumber: true })), { title: 'All', isNumber: true }]}
          rows=${starts.map((start, index) => ({ key: String(start), cells: [writeMinute(start), ...series.map(({ values }) => measure.write(values[index] ?? 0)), measure.write(sums[index] ?? 0)] }))}
        />
      </details>
    </figure>
  `;
};
