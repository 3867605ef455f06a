/** @import { Dimension, UsageQuestion, UsageReport } from './usage-report.js' */
import { useCallback, useState } from 'preact/hooks';
import { askJson } from './ask.js';
import { writeCount, writeDollars, writeMinute, writeMs, writeShare } from './format.js';
import { html } from './html.js';
import { measures } from './measures.js';
import { usePoll } from './poll.js';
import { PromptCache } from './prompt-cache.js';
import { Section } from './section.js';
import { Tiles } from './tiles.js';
import { UsageChart } from './usage-chart.js';
import { UsageControls } from './usage-controls.js';
import { readPeriod } from './usage-report.js';
import { UsageTable } from './usage-table.js';

const today = () => new Date().toISOString().slice(0, 10);

/**
 * The report over time, and that of the whole time.
 * @param {UsageQuestion} question
 * @param {AbortSignal} signal
 */
const readUsage = async (question, signal) => {
  const { from, to, bucket } = readPeriod(question, Date.now());
  const shared = new URLSearchParams({ from, to, by: question.by, ...question.only });
  const [parts, groups] = await Promise.all([
    askJson(`/admin/usage?${shared}&bucket=${bucket}`, signal),
    askJson(`/admin/usage?${shared}`, signal),
  ]);
  return { parts: /** @type {UsageReport} */ (parts), groups: /** @type {UsageReport} */ (groups), by: question.by };
};

/** @param {{ report: UsageReport }} props */
const Totals = ({ report: { totals } }) => html`
  <${Tiles}
    tiles=${[
      {
        name: 'Requests',
        value: writeCount(totals.exchanges),
        note: `${writeShare(totals.outcomes['ok'] ?? 0, totals.exchanges)} answered well`,
      },
      {
        name: 'Cost',
        value: writeDollars(totals.cost),
        note: totals.unpriced === 0 ? 'USD' : `USD; ${writeCount(totals.unpriced)} calls have no price`,
        ...(totals.unpriced === 0 ? {} : { tone: 'warn' }),
      },
      {
        name: 'Input tokens',
        value: writeCount(totals.tokens.input),
        note: `${writeShare(totals.tokens.cacheRead, totals.tokens.input)} from the cache`,
      },
      {
        name: 'Output tokens',
        value: writeCount(totals.tokens.output),
        note: `${writeCount(totals.tokens.reasoning)} of reasoning`,
      },
      { name: '95% took at most', value: writeMs(totals.latencyMs.p95), note: `p50 ${writeMs(totals.latencyMs.p50)}` },
      {
        name: '95% began within',
        value: writeMs(totals.firstContentMs.p95),
        note: `p50 ${writeMs(totals.firstContentMs.p50)}`,
      },
    ]}
  />
`;

/** What was used and what it cost, over time and by whom or what. */
export const Usage = () => {
  const [question, setQuestion] = useState(
    /** @type {UsageQuestion} */ ({ range: '24h', from: today(), to: today(), by: 'model', only: {} }),
  );
  const [measure, setMeasure] = useState('cost');
  const load = useCallback((/** @type {AbortSignal} */ signal) => readUsage(question, signal), [question]);
  const polled = usePoll(load, 5_000, JSON.stringify(question));
  /** @param {Partial<UsageQuestion>} change */
  const change = (change) => setQuestion((last) => ({ ...last, ...change }));
  /** @param {Dimension} by @param {string} name */
  const choose = (by, name) => change({ only: { ...question.only, [by]: name }, by: by === 'model' ? 'key' : 'model' });

  const chosen = measures[measure] ?? measures['cost'];
  /** @param {Awaited<ReturnType<typeof readUsage>>} data */
  const show = ({ parts, groups, by }) => html`
    <${Totals} report=${groups} />
    ${chosen === undefined ? null : html`<${UsageChart} report=${parts} by=${by} measure=${chosen} />`}
    <${UsageTable} report=${groups} by=${by} choose=${choose} />
    <${PromptCache} report=${groups} />
  `;
  const period =
    polled.data === undefined
      ? ''
      : `${writeMinute(polled.data.groups.from)} to ${writeMinute(polled.data.groups.to)} UTC`;
  return html`<${Section}
    id="usage"
    title="Usage and cost"
    note=${period}
    absent="The plugin ledger is not configured: add “use: ledger” to the plugins of gateway.yaml."
    polled=${polled}
    controls=${html`<${UsageControls} question=${question} change=${change} measure=${measure} setMeasure=${setMeasure} />`}
    show=${show}
  />`;
};
