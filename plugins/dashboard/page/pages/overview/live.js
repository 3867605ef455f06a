/** @import { OutcomeClass } from '../../data/outcomes.js' */
/** @import { Latency, Rates, Step } from '../../data/rates.js' */
import { Chart } from '../../charts/chart.js';
import { html } from '../../components/html.js';
import { Panel } from '../../components/page.js';
import { Tiles } from '../../components/tiles.js';
import { formatClock, formatCount, formatMs, formatNumber, formatRate } from '../../data/format.js';
import { classColors, outcomeClasses, successRate, toneOfRate } from '../../data/outcomes.js';
import { usePoll } from '../../data/poll.js';
import { countAll, readRates, summarize } from '../../data/rates.js';
import { zoneName } from '../../data/zone.js';

const MINUTE = 60;
const SPAN = 15 * MINUTE;
/** Labels of the x axis: every third minute. */
const MARK = 3 * MINUTE;
const classes = /** @type {readonly OutcomeClass[]} */ (Object.keys(outcomeClasses));

/** @param {{ list: Rates }} props */
const Course = ({ list: { rates, stepSeconds } }) => {
  const peak = Math.max(0, ...rates.map(countAll)) / stepSeconds;
  const now = Date.now() / 1_000;
  const first = Math.ceil((now - SPAN) / MARK) * MARK;
  // The time of a step is its start: the last one is drawn to its end, so that a single step is a line.
  const starts = rates.map(({ time }) => Date.parse(time) / 1_000);
  const [times, steps] = [
    [...starts, ...starts.slice(-1).map((time) => time + stepSeconds)],
    [...rates, ...rates.slice(-1)],
  ];
  return html`<${Chart}
    title="Requests per second"
    note=${rates.length === 0 ? 'The first figures follow within 20 seconds' : 'Last 15 minutes'}
    summary=${`Requests per second in the last 15 minutes, ${formatNumber(peak)} at most.`}
    times=${times}
    series=${classes.map((name) => ({
      name: outcomeClasses[name],
      values: steps.map((step) => step[name] / stepSeconds),
    }))}
    shape="areas"
    span=${[now - SPAN, now]}
    marks=${Array.from({ length: SPAN / MARK }, (_, index) => first + index * MARK)}
    formatMark=${(/** @type {number} */ time) => formatClock(time * 1_000).slice(0, 5)}
    formatTime=${(/** @type {number} */ time) => `${formatClock(time * 1_000)} ${zoneName()}`}
    formatValue=${formatNumber}
    colors=${classColors}
  />`;
};

/** @param {Rates} list */
const describeTiles = (list) => {
  const figures = summarize(list);
  const { counts, perSecond } = figures;
  const rate = successRate(counts);
  const tone = toneOfRate(rate);
  const refused = counts.client_error + counts.limited;
  /** @param {(step: Step) => number | null} read */
  const course = (read) => list.rates.map((step) => read(step) ?? 0);
  /** @param {string} name @param {Latency} member @param {string} note */
  const latency = (name, member, note) => ({
    name,
    value: formatMs(figures[member]),
    note,
    course: course((step) => step[member]),
  });
  return [
    {
      name: 'Requests per second',
      value: formatNumber(perSecond),
      note: `${formatCount(list.inFlight)} in flight`,
      course: course(countAll),
    },
    {
      name: 'Success rate',
      value: formatRate(rate),
      note: `${formatCount(counts.failure)} failed, ${formatCount(refused)} refused`,
      tone: tone === 'good' ? undefined : tone,
      course: course((step) => successRate(step) ?? 1),
    },
    latency('p50 latency', 'p50Ms', 'of successes, estimated'),
    latency('p95 latency', 'p95Ms', 'of successes, estimated'),
    latency('p95 time to first token', 'p95FirstContentMs', 'of streams, estimated'),
  ];
};

/** Rates and latencies of the last minutes. */
export const Live = () => html`<${Panel}
  id="now"
  title="Now"
  isTitleHidden
  polled=${usePoll(readRates, 5_000)}
  show=${(/** @type {Rates} */ list) => html`
    <${Tiles} tiles=${describeTiles(list)} />
    <${Course} list=${list} />
  `}
  notConfigured="The plugin metrics is not configured: add “use: metrics” to the plugins of gateway.yaml."
/>`;
