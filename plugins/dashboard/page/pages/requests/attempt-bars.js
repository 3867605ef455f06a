/** @import { RequestDetail } from '../../data/requests.js' */
import { html } from '../../components/html.js';
import { formatMs, formatName } from '../../data/format.js';
import { classOf } from '../../data/outcomes.js';

/** Width and height of the drawing, in its own units. */
const WIDTH = 1_000;
const ROW = 14;
/** The least width of a bar that can be seen. */
const LEAST = 3;

/** The attempts of a request on one axis of time, and its first content. @param {{ request: RequestDetail }} props */
export const AttemptBars = ({ request: { attemptTrail, durationMs, firstContentMs } }) => {
  const bars = attemptTrail.flatMap(({ startedMs, durationMs: ms, provider, model, outcome }) =>
    startedMs === null || ms === null ? [] : [{ startedMs, ms, name: `${provider}/${model}`, outcome }],
  );
  if (bars.length === 0 || durationMs === null || durationMs === 0) return null;
  const end = Math.max(durationMs, ...bars.map(({ startedMs, ms }) => startedMs + ms));
  /** @param {number} ms */
  const place = (ms) => (ms / end) * WIDTH;
  const summary = bars.map(
    ({ startedMs, ms, name, outcome }) =>
      `${name}, ${formatName(outcome)}, from ${formatMs(startedMs)} to ${formatMs(startedMs + ms)}`,
  );
  return html`
    <svg
      class="bars"
      viewBox=${`0 0 ${WIDTH} ${bars.length * ROW}`}
      preserveAspectRatio="none"
      role="img"
      aria-label=${`Attempts in ${formatMs(end)}: ${summary.join('; ')}`}
    >
      ${bars.map(
        ({ startedMs, ms, outcome }, index) => html`<rect
          key=${index}
          class=${classOf(outcome) === 'success' ? 'good' : 'bad'}
          x=${place(startedMs)}
          y=${index * ROW + 2}
          width=${Math.max(LEAST, place(ms))}
          height=${ROW - 4}
        />`,
      )}
      ${
        firstContentMs !== null &&
        html`<rect class="mark" x=${place(firstContentMs)} y="0" width="2" height=${bars.length * ROW} />`
      }
    </svg>
  `;
};
