/** @import { Polled } from '../data/poll.js' */
/** @import { Snapshot } from '../data/snapshots.js' */
/** @import { UsageReport } from '../data/usage-report.js' */
import { Chart } from '../charts/chart.js';
import { Legend } from '../charts/legend.js';
import { html } from '../components/html.js';
import { Section } from '../components/section.js';
import { Tiles } from '../components/tiles.js';
import { requestJson } from '../data/api.js';
import { formatClock, formatCount, formatMinute, formatMs, formatNumber, formatShare } from '../data/format.js';
import { usePoll } from '../data/poll.js';
import { summarize, ratesOf } from '../data/snapshots.js';

const HOUR = 3_600_000;
const colors = ['good', 'bad'];
const MINUTE = 60;
const CHART_SPAN = 5 * MINUTE;
/** @param {AbortSignal} signal */
const readHour = async (signal) =>
  /** @type {UsageReport} */ (
    await requestJson(`/admin/usage?from=${new Date(Date.now() - HOUR).toISOString()}`, signal)
  );

/** @param {number | undefined} part @param {number} all @returns {'good' | 'warn' | 'bad' | undefined} */
const toneOf = (part = 0, all) =>
  all === 0 ? undefined : part / all >= 0.99 ? 'good' : part / all >= 0.9 ? 'warn' : 'bad';

/** @param {{ snapshots: readonly Snapshot[] }} props */
const Rates = ({ snapshots }) => {
  const rates = ratesOf(snapshots);
  const peak = Math.max(0, ...rates.map(({ ok, failed }) => ok + failed));
  const series = [
    { name: 'successful', values: rates.map(({ ok }) => ok) },
    { name: 'failed', values: rates.map(({ failed }) => failed) },
  ];
  const now = (snapshots.at(-1)?.at ?? 0) / 1_000;
  const marks = Array.from({ length: 6 }, (_, index) => (Math.floor(now / MINUTE) - 5 + index) * MINUTE).filter(
    (mark) => mark >= now - CHART_SPAN,
  );
  return html`
    <figure class="card">
      <figcaption>Requests per second in the last five minutes</figcaption>
      <${Chart}
        summary=${`Requests per second in the last five minutes, ${formatNumber(peak)} at most.`}
        times=${rates.map(({ at }) => at / 1_000)}
        series=${series}
        shape="areas"
        span=${[now - CHART_SPAN, now]}
        marks=${marks}
        formatMark=${(/** @type {number} */ time) => formatClock(time * 1_000).slice(0, 5)}
        colors=${colors}
      />
      <${Legend} names=${series.map(({ name }) => name)} colors=${colors} />
    </figure>
  `;
};

/** Current rates and latencies. @param {{ polled: Polled<readonly Snapshot[]> }} props */
export const Now = ({ polled }) => {
  const hour = usePoll(readHour, 15_000);
  /** @param {readonly Snapshot[]} snapshots */
  const show = (snapshots) => {
    const now = summarize(snapshots);
    const isMeasured = now?.measuresFirstToken === true;
    const all = now?.all ?? 0;
    const first = isMeasured ? now.firstToken : hour.data?.totals.firstContentMs.p50;
    return html`
      <${Tiles}
        tiles=${[
          { name: 'Requests per second', value: formatNumber(now?.perSecond ?? 0) },
          {
            name: 'Success rate',
            value: formatShare(now?.ok ?? 0, all),
            note: `of ${formatCount(all)}`,
            tone: toneOf(now?.ok, all),
          },
          { name: 'In flight', value: formatCount(now?.inFlight ?? snapshots.at(-1)?.inFlight ?? 0) },
          { name: 'p50 latency', value: formatMs(now?.p50), note: 'of successful requests' },
          { name: 'p95 latency', value: formatMs(now?.p95), note: 'of successful requests' },
          {
            name: 'Time to first token',
            value: formatMs(first),
            note:
              isMeasured || hour.data === undefined
                ? 'p50 of streams'
                : `p50 since ${formatMinute(hour.data.from).slice(11)} UTC`,
          },
        ]}
      />
      <${Rates} snapshots=${snapshots} />
    `;
  };
  return html`<${Section}
    id="now"
    title="Now"
    note="The last 30 seconds, every 2 seconds"
    polled=${polled}
    show=${show}
    notConfigured="The plugin metrics is not configured: add “use: metrics” to the plugins of gateway.yaml."
  />`;
};
