/** @import { Dimension, UsageReport } from '../../data/usage-report.js' */
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { figure, valuesOf } from '../../components/table/figures.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatCompact, formatCount, formatDollars, formatMs, formatRate } from '../../data/format.js';
import { hasUnits, nameOf, titleOf } from '../../data/usage-report.js';

const COLLAPSED_ROWS = 10;
const figures = [
  figure('Requests', 'requests', ({ exchanges }) => exchanges, formatCount),
  figure('Cost', 'cost', ({ cost }) => Number(cost), formatDollars),
  figure('Success rate', 'rate', (line) => line.successRate, formatRate, 'small'),
  figure('Client errors', 'errors', (line) => line.client_error + line.limited, formatCount, 'medium'),
  figure('Input tokens', 'input', ({ tokens }) => tokens.input, formatCompact, 'small'),
  figure('Output tokens', 'output', ({ tokens }) => tokens.output, formatCompact, 'small'),
  figure('Cache saved', 'saved', ({ cache }) => Number(cache.saved), formatDollars, 'medium'),
  figure('p50 latency', 'p50', ({ latencyMs }) => latencyMs.p50, formatMs, 'medium'),
  figure('p95 latency', 'p95', ({ latencyMs }) => latencyMs.p95, formatMs, 'small'),
];
const unitFigures = [
  figure('Web searches', 'searches', ({ units }) => units.webSearches, formatCount, 'medium'),
  figure('Images', 'images', ({ units }) => units.images, formatCount, 'medium'),
];

/**
 * Usage by one dimension. The name of a row is a button that filters by it.
 * @param {{ report: UsageReport, by: Dimension, choose: (by: Dimension, name: string) => void }} props
 */
export const UsageTable = ({ report, by, choose }) => {
  const columns = hasUnits(report.totals.units) ? [...figures, ...unitFigures] : figures;
  const { lines } = report;
  const more = (report.groups ?? 0) - lines.length;
  const rows = lines.map((line) => {
    const name = nameOf(line, by);
    return {
      key: name,
      values: { name, ...valuesOf(columns, line) },
      cells: [
        name === ''
          ? NO_VALUE
          : html`<button type="button" class="link wrap" onClick=${() => choose(by, name)}>
              <span><${Path} name=${name} /></span><span class="visually-hidden">: show only this</span>
            </button>`,
        ...columns.map(({ write }) => write(line)),
      ],
    };
  });
  if (rows.length === 0) return null;
  const note = `Sorted are these ${lines.length}; ${formatCount(more)} more are in the CSV.`;
  return html`
    <${Table}
      caption=${`Usage by ${titleOf(by).toLowerCase()}`}
      hasCaption
      columns=${[{ title: titleOf(by), sort: 'name' }, ...columns]}
      rows=${rows}
      collapsed=${COLLAPSED_ROWS}
    />
    ${more > 0 && html`<p class="muted">${note}</p>`}
  `;
};
