/** @import { Dimension, ReportLine, UsageReport } from '../../data/usage-report.js' */
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { Table } from '../../components/table/table.js';
import { NO_VALUE, formatCompact, formatCount, formatDollars, formatMs, formatRate } from '../../data/format.js';
import { hasUnits, nameOf, titleOf } from '../../data/usage-report.js';

const COLLAPSED_ROWS = 10;
const columns = [
  { title: 'Requests', isNumber: true, sort: 'requests' },
  { title: 'Cost', isNumber: true, sort: 'cost' },
  { title: 'Success rate', isNumber: true, sort: 'rate', not: /** @type {const} */ ('small') },
  { title: 'Client errors', isNumber: true, sort: 'errors', not: /** @type {const} */ ('medium') },
  { title: 'Input tokens', isNumber: true, sort: 'input', not: /** @type {const} */ ('small') },
  { title: 'Output tokens', isNumber: true, sort: 'output', not: /** @type {const} */ ('small') },
  { title: 'Cache saved', isNumber: true, sort: 'saved', not: /** @type {const} */ ('medium') },
  { title: 'p50 latency', isNumber: true, sort: 'p50', not: /** @type {const} */ ('medium') },
  { title: 'p95 latency', isNumber: true, sort: 'p95', not: /** @type {const} */ ('small') },
];
const unitColumns = [
  { title: 'Web searches', isNumber: true, sort: 'searches', not: /** @type {const} */ ('medium') },
  { title: 'Images', isNumber: true, sort: 'images', not: /** @type {const} */ ('medium') },
];

/** What the rows are sorted by. @param {ReportLine} line @param {string} name */
const valuesOf = (line, name) => ({
  name,
  requests: line.exchanges,
  cost: Number(line.cost),
  rate: line.successRate,
  errors: line.client_error + line.limited,
  input: line.tokens.input,
  output: line.tokens.output,
  saved: Number(line.cache.saved),
  p50: line.latencyMs.p50,
  p95: line.latencyMs.p95,
  searches: line.units.webSearches,
  images: line.units.images,
});

/**
 * Usage by one dimension. The name of a row is a button that filters by it.
 * @param {{ report: UsageReport, by: Dimension, choose: (by: Dimension, name: string) => void }} props
 */
export const UsageTable = ({ report, by, choose }) => {
  const showsUnits = hasUnits(report.totals.units);
  const { lines } = report;
  const more = (report.groups ?? 0) - lines.length;
  const rows = lines.map((line) => {
    const name = nameOf(line, by);
    return {
      key: name,
      values: valuesOf(line, name),
      cells: [
        name === ''
          ? NO_VALUE
          : html`<button type="button" class="link wrap" onClick=${() => choose(by, name)}>
              <span><${Path} name=${name} /></span><span class="visually-hidden">: show only this</span>
            </button>`,
        formatCount(line.exchanges),
        formatDollars(line.cost),
        formatRate(line.successRate),
        formatCount(line.client_error + line.limited),
        formatCompact(line.tokens.input),
        formatCompact(line.tokens.output),
        formatDollars(line.cache.saved),
        formatMs(line.latencyMs.p50),
        formatMs(line.latencyMs.p95),
        ...(showsUnits ? [formatCount(line.units.webSearches), formatCount(line.units.images)] : []),
      ],
    };
  });
  if (rows.length === 0) return null;
  const note = `Sorted are these ${lines.length}; ${formatCount(more)} more are in the CSV.`;
  return html`
    <${Table}
      caption=${`Usage by ${titleOf(by).toLowerCase()}`}
      hasCaption
      columns=${[{ title: titleOf(by), sort: 'name' }, ...columns, ...(showsUnits ? unitColumns : [])]}
      rows=${rows}
      collapsed=${COLLAPSED_ROWS}
    />
    ${more > 0 && html`<p class="muted">${note}</p>`}
  `;
};
