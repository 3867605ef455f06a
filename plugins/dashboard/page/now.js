/** @import { Polled } from './poll.js' */
/** @import { Moment } from './moments.js' */
/** @import { UsageReport } from './usage-report.js' */
import { askJson } from './ask.js';
import { Chart } from './chart.js';
import { writeClock, writeCount, writeMinute, writeMs, writeNumber, writeShare } from './format.js';
import { html } from './html.js';
import { Legend } from './legend.js';
import { describeNow, describeRates } from './moments.js';
import { usePoll } from './poll.js';
import { Section } from './section.js';
import { Tiles } from './tiles.js';

const HOUR = 3_600_000;
const colors = ['good', 'bad'];
const MINUTE = 60;
const SHOWN = 5 * MINUTE;
/** @param {AbortSignal} signal */
const readHour = async (signal) =>
  /** @type {UsageReport} */ (await askJson(`/admin/usage?from=${new Date(Date.now() - HOUR).toISOString()}`, signal));

/** @param {number | undefined} part @param {number} all @returns {'good' | 'warn' | 'bad' | undefined} */
const toneOf = (part = 0, all) =>
  all === 0 ? undefined : part / all >= 0.99 ? 'good' : part / all >= 0.9 ? 'warn' : 'bad';

/** @param {{ moments: readonly Moment[] }} props */
const Rates = ({ moments }) => {
  const rates = describeRates(moments);
  const most = Math.max(0, ...rates.map(({ ok, failed }) => ok + failed));
  const series = [
    { name: 'answered well', values: rates.map(({ ok }) => ok) },
    { name: 'failed', values: rates.map(({ failed }) => failed) },
  ];
  const now = (moments.at(-1)?.at ?? 0) / 1_000;
  const marks = Array.from({ length: 6 }, (_, index) => (Math.floor(now / MINUTE) - 5 + index) * MINUTE).filter(
    (mark) => mark >= now - SHOWN,
  );
  return html`
    <figure class="card">
      <figcaption>Requests a second, in the last five minutes</figcaption>
      <${Chart}
        summary=${`Requests a second in the last minutes: ${writeNumber(most)} at most.`}
        times=${rates.map(({ at }) => at / 1_000)}
        series=${series}
        shape="areas"
        span=${[now - SHOWN, now]}
        marks=${marks}
        writeMark=${(/** @type {number} */ time) => writeClock(time * 1_000).slice(0, 5)}
        colors=${colors}
      />
      <${Legend} names=${series.map(({ name }) => name)} colors=${colors} />
    </figure>
  `;
};

/** What goes on at this moment. @param {{ polled: Polled<readonly Moment[]> }} props */
export const Now = ({ polled }) => {
  const hour = usePoll(readHour, 15_000);
  /** @param {readonly Moment[]} moments */
  const show = (moments) => {
    const now = describeNow(moments);
    const isMeasured = now?.measuresFirstContent === true;
    const all = now?.all ?? 0;
    const first = isMeasured ? now.firstContent : hour.data?.totals.firstContentMs.p50;
    return html`
      <${Tiles}
        tiles=${[
          { name: 'Requests a second', value: writeNumber(now?.perSecond ?? 0) },
          {
            name: 'Answered well',
            value: writeShare(now?.ok ?? 0, all),
            note: `of ${writeCount(all)}`,
            tone: toneOf(now?.ok, all),
          },
          { name: 'In flight', value: writeCount(now?.inFlight ?? moments.at(-1)?.inFlight ?? 0) },
          { name: 'Half take at most', value: writeMs(now?.p50), note: 'p50' },
          { name: '95% take at most', value: writeMs(now?.p95), note: 'p95' },
          {
            name: 'Time to first token',
            value: writeMs(first),
            note:
              isMeasured || hour.data === undefined
                ? 'p50 of streams'
                : `p50 since ${writeMinute(hour.data.from).slice(11)} UTC`,
          },
        ]}
      />
      <${Rates} moments=${moments} />
    `;
  };
  return html`<${Section}
    id="now"
    title="Now"
    note="The last 30 seconds, every 2 seconds"
    polled=${polled}
    show=${show}
    absent="The plugin metrics is not configured: add “use: metrics” to the plugins of gateway.yaml."
  />`;
};
