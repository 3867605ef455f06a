/** @import { Progress } from '../../data/inspector/playground.js' */
import { html } from '../../components/html.js';
import { formatCount, formatDollars, formatMs } from '../../data/format.js';
import { linkTo } from '../../data/route.js';
import { useSession } from '../../data/session.js';

/** @param {Progress} progress */
const listFigures = ({ firstMs, totalMs, usage, cost }) =>
  [
    firstMs === undefined ? '' : `first content after ${formatMs(firstMs)}`,
    totalMs === undefined ? '' : `ended after ${formatMs(totalMs)}`,
    usage === undefined ? '' : `${formatCount(usage.input)} tokens in, ${formatCount(usage.output)} out`,
    cost === undefined ? '' : `cost ${formatDollars(cost)}`,
  ].filter((figure) => figure !== '');

/** What has arrived of the response. @param {{ progress: Progress, isBusy: boolean }} props */
export const Answer = ({ progress, isBusy }) => {
  const { text, reasoning, problem, id, totalMs, cost } = progress;
  const { session } = useSession();
  const isPriced = cost !== undefined || totalMs === undefined || problem !== '';
  return html`
    <section class="panel" aria-labelledby="answer-title" aria-busy=${isBusy ? 'true' : 'false'} id="answer">
      <div class="panel-head"><h2 id="answer-title">Response</h2></div>
      <div class="card plain">
        ${
          reasoning !== '' &&
          html`<details>
            <summary>Reasoning</summary>
            <pre class="wrap">${reasoning}</pre>
          </details>`
        }
        ${text !== '' && html`<pre class="wrap" tabindex="0" role="region" aria-label="Text">${text}</pre>`}
        ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
        <p class="muted small" role="status">
          ${isBusy ? 'The response is arriving …' : listFigures(progress).join(' · ')}
          ${isBusy || isPriced ? '' : ' · the model has no price'}
        </p>
        ${
          id === '' || isBusy || session.actor.role === 'developer'
            ? null
            : html`<p class="small"><a href=${linkTo('requests', { id })}>The life of this request</a></p>`
        }
      </div>
    </section>
  `;
};
