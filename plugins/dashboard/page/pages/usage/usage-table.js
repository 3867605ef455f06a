/** @import { Dimension, UsageReport } from '../../data/usage-report.js' */
import { useState } from 'preact/hooks';
import { ExpandButton } from '../../components/expand-button.js';
import { html } from '../../components/html.js';
import { Path } from '../../components/path.js';
import { Table } from '../../components/table.js';
import { NO_VALUE, formatCompact, formatCount, formatDollars, formatMs, formatRate } from '../../data/format.js';
import { hasUnits, nameOf, titleOf } from '../../data/usage-report.js';

const COLLAPSED_ROWS = 10;
const columns = [
  { title: 'Requests', isNumber: true },
  { title: 'Cost', isNumber: true },
  { title: 'Success rate', isNumber: true, not: /** @type {const} */ ('small') },
  { title: 'Client errors', isNumber: true, not: /** @type {const} */ ('medium') },
  { title: 'Input tokens', isNumber: true, not: /** @type {const} */ ('small') },
  { title: 'Output tokens', isNumber: true, not: /** @type {const} */ ('small') },
  { title: 'Cache saved', isNumber: true, not: /** @type {const} */ ('medium') },
  { title: 'p50 latency', isNumber: true, not: /** @type {const} */ ('medium') },
  { title: 'p95 latency', isNumber: true, not: /** @type {const} */ ('small') },
];
const unitColumns = [
  { title: 'Web searches', isNumber: true, not: /** @type {const} */ ('medium') },
  { title: 'Images', isNumber: true, not: /** @type {const} */ ('medium') },
];

/**
 * Usage by one dimension. The name of a row is a button that filters by it.
 * @param {{ report: UsageReport, by: Dimension, choose: (by: Dimension, name: string) => void }} props
 */
export const UsageTable = ({ report, by, choose }) => {
  const [isExpanded, setExpanded] = useState(false);
  const showsUnits = hasUnits(report.totals.units);
  const toggle = () => setExpanded(!isExpanded);
  const { lines } = report;
  const more = (report.groups ?? 0) - lines.length;
  const rows = (isExpanded ? lines : lines.slice(0, COLLAPSED_ROWS)).map((line) => {
    const name = nameOf(line, by);
    return {
      key: name,
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
  return html`
    <${Table}
      caption=${`Usage by ${titleOf(by).toLowerCase()}`}
      columns=${[{ title: titleOf(by) }, ...columns, ...(showsUnits ? unitColumns : [])]}
      rows=${rows}
    />
    <${ExpandButton}
      count=${lines.length}
      collapsed=${COLLAPSED_ROWS}
      isExpanded=${isExpanded}
      toggle=${toggle}
    />
    ${more > 0 ? html`<p class="muted">${formatCount(more)} more are in the CSV.</p>` : null}
  `;
};
