import { Facts } from '../../components/facts.js';
import { html } from '../../components/html.js';
import { NO_VALUE, formatCount, formatDollars, formatName } from '../../data/format.js';

/**
 * The response of `POST /admin/explain`: docs/operate/explain.md.
 * @typedef {object} Target
 * @property {string} target
 * @property {string} [lane]
 * @property {string} [why]
 * @property {readonly Readonly<Record<string, unknown>>[]} losses
 * @property {readonly { credential?: string, state?: string }[]} credentials
 * @property {readonly string[]} [skipped]
 * @property {number} [estimatedCost]
 * @property {{ method: string, url: string, headers: Readonly<Record<string, string>>, body: unknown }} [upstream]
 * @property {string} [unsent]
 */
/**
 * @typedef {object} Explained
 * @property {{ name: string, organization: string, project: string, models: 'all' | readonly string[] }} key
 * @property {{ id: string, alias?: string }} model
 * @property {{ wire: string, operation: string, paths: readonly string[], losses: string }} route
 * @property {{ body: string, estimate: Readonly<Record<string, number>> }} request
 * @property {readonly { use: string, phases: readonly string[], says?: unknown, failed?: string }[]} plugins
 * @property {readonly Target[]} targets
 * @property {readonly string[]} [notes]
 */

/** @param {unknown} loss */
const describeLoss = (loss) =>
  typeof loss === 'object' && loss !== null
    ? Object.values(loss)
        .filter((part) => typeof part === 'string')
        .join(' ')
    : String(loss);

/** @param {Target['credentials'][number]} entry */
const describeCredential = ({ credential = '', state = '' }) =>
  credential === 'none' ? 'not needed' : `${credential} ${state}`.trim();

/** @param {NonNullable<Target['upstream']>} call */
const writeCall = ({ method, url, headers, body }) =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map((header) => header.join(': ')),
    '',
    typeof body === 'string' ? body : JSON.stringify(body, null, 2),
  ].join('\n');

/** @param {unknown} says */
const describePlugin = (says) =>
  html`<details>
    <summary>Details</summary>
    <pre class="wrap">${JSON.stringify(says, null, 2)}</pre>
  </details>`;

/** @param {Target} target @param {number} index */
const describeTarget = (target, index) => {
  const { losses, credentials, skipped = [], upstream, unsent, estimatedCost, lane, why } = target;
  return html`
    <li key=${target.target} class=${skipped.length === 0 ? 'good' : ''}>
      <strong>${index + 1}. ${target.target}</strong>${' '}
      ${skipped.length > 0 && html`<span class="badge warn">skipped</span>`}
      <${Facts}
        facts=${[
          ['Skipped because', skipped.join('; ')],
          ['Lane', lane === undefined ? undefined : `${lane}${why === undefined ? '' : `: ${why}`}`],
          ['Losses', losses.map(describeLoss).join('; ')],
          ['Credentials', credentials.map(describeCredential).join(', ')],
          ['Estimated cost', estimatedCost === undefined ? undefined : formatDollars(estimatedCost)],
          ['Not sent', unsent],
        ]}
      />
      ${
        upstream !== undefined &&
        html`<details>
          <summary>The call that would be sent</summary>
          <pre class="wrap">${writeCall(upstream)}</pre>
        </details>`
      }
    </li>
  `;
};

/** @param {{ data: Explained }} props */
export const Explanation = ({ data: { key, model, route, request, plugins, targets, notes = [] } }) => html`
  <section class="panel" aria-label="Explanation" role="region">
    <div class="panel-head"><h2>Request</h2></div>
    <div class="card plain">
      <${Facts}
        facts=${[
          ['Key', `${key.organization}/${key.project}/${key.name}`],
          ['May use', key.models === 'all' ? 'all models' : key.models.join(', ')],
          ['Model', model.alias === undefined ? model.id : `${model.id} (alias ${model.alias})`],
          ['Route', `${route.paths.join(', ')} (${route.wire}, ${formatName(route.operation)})`],
          ['Losses', route.losses],
          [
            'Estimate',
            Object.entries(request.estimate)
              .map(([name, count]) => `${formatName(name)} ${formatCount(count)}`)
              .join(' · ') || NO_VALUE,
          ],
        ]}
      />
    </div>
    <div class="panel-head">
      <h2>Targets</h2>
      <p class="muted">In the order in which they would be tried</p>
    </div>
    <div class="card plain">
      <ol class="trail">
        ${targets.map(describeTarget)}
      </ol>
    </div>
    <div class="panel-head"><h2>Plugins</h2></div>
    <div class="card plain">
      <ol class="trail">
        ${plugins.map(
          ({ use, phases, says, failed }) => html`<li key=${use}>
            <strong>${use}</strong> <span class="muted small">${phases.join(', ')}</span>
            ${failed !== undefined && html`<p class="bad">${failed}</p>`}
            ${says === undefined ? null : describePlugin(says)}
          </li>`,
        )}
      </ol>
    </div>
    ${notes.map((note) => html`<p class="muted" key=${note}>${note}</p>`)}
  </section>
`;
