/** @import { Dimension, UsageReport } from './usage-report.js' */
import { useState } from 'preact/hooks';
import { writeCount, writeDollars, writeMs, writeShare } from './format.js';
import { html } from './html.js';
import { Table } from './table.js';
import { dimensions } from './usage-report.js';

const FEW = 10;
const columns = [
  { title: 'Requests', isNumber: true },
  { title: 'Cost', isNumber: true },
  { title: 'Answered well', isNumber: true },
  { title: 'Input tokens', isNumber: true },
  { title: 'Output tokens', isNumber: true },
  { title: 'Cache saved', isNumber: true },
  { title: 'p50', isNumber: true },
  { title: 'p95', isNumber: true },
];

/** What each part used; its name chooses it. @param {{ report: UsageReport, by: Dimension, choose: (by: Dimension, name: string) => void }} props */
export const UsageTable = ({ report, by, choose }) => {
  const [isWhole, setWhole] = useState(false);
  const lines = [...report.lines].sort(
    (one, other) => Number(other.cost) - Number(one.cost) || other.exchanges - one.exchanges,
  );
  const rows = (isWhole ? lines : lines.slice(0, FEW)).map((line) => {
    const name = String(line[by]);
    return {
      key: name,
      cells: [
        html`<button type="button" class="link" onClick=${() => choose(by, name)}>
          ${name}<span class="unseen">: only this</span>
        </button>`,
        writeCount(line.exchanges),
        writeDollars(line.cost),
        writeShare(line.outcomes['ok'] ?? 0, line.exchanges),
        writeCount(line.tokens.input),
        writeCount(line.tokens.output),
        writeDollars(line.cache.saved),
        writeMs(line.latencyMs.p50),
        writeMs(line.latencyMs.p95),
      ],
    };
  });
  if (rows.length === 0) return null;
  return html`
    <${Table}
      caption=${`Usage by ${dimensions[by].toLowerCase()}`}
      columns=${[{ title: dimensions[by] }, ...columns]}
      rows=${rows}
    />
    ${lines.length > FEW ? html`<button type="button" onClick=${() => setWhole(!isWhole)}>${isWhole ? 'Show less' : `Show all ${lines.length}`}</button>` : null}
  `;
};
