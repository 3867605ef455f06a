/** @import { Polled } from './poll.js' */
import { useState } from 'preact/hooks';
import { ask, askJson } from './ask.js';
import { Badge } from './badge.js';
import { writeTime } from './format.js';
import { html } from './html.js';
import { Section } from './section.js';

/** @typedef {{ readonly rule: string, readonly message: string, readonly file?: string, readonly line?: number, readonly column?: number, readonly severity?: string }} Problem */
/** @typedef {{ readonly at: string, readonly result: 'reloaded' | 'unchanged' | 'failed', readonly trigger: string, readonly problems: readonly Problem[] }} LastReload */
/**
 * @typedef {object} Live
 * @property {string} file
 * @property {string} hash
 * @property {string} loadedAt
 * @property {LastReload | null} lastReload
 * @property {readonly string[]} needsRestart
 * @property {{ readonly providers?: Readonly<Record<string, unknown>> }} config
 */

/** @param {AbortSignal} signal */
export const readConfiguration = async (signal) => /** @type {Live} */ (await askJson('/admin/config', signal));

/** @param {Problem} problem */
const describeProblem = ({ rule, message, file, line, column }) =>
  `${file === undefined ? '' : `${file}:${line}:${column} `}${rule}: ${message}`;

/** @param {{ last: LastReload }} props */
const Last = ({ last }) => html`
  <p>
    <${Badge} word=${last.result} /> at ${writeTime(last.at)} UTC, requested by${' '}
    ${last.trigger === 'admin' ? 'the admin API' : `a ${last.trigger}`}${last.result === 'failed' ? '. The configuration before stays in force.' : ''}
  </p>
  ${
    last.problems.length === 0
      ? null
      : html`<ul class="problems">
          ${last.problems.map((problem) => html`<li key=${describeProblem(problem)}>${describeProblem(problem)}</li>`)}
        </ul>`
  }
`;

/** @param {{ live: Live }} props */
const Status = ({ live }) => {
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState('');
  const reload = async () => {
    setBusy(true);
    try {
      const reply = await ask('/admin/reload', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'if-match': `"${live.hash}"` },
      });
      const { result } = /** @type {{ result: string }} */ (await reply.json());
      setTold(result === 'unchanged' ? 'The file has not changed.' : 'The configuration was reloaded.');
    } catch (thrown) {
      setTold(`It was not reloaded. ${thrown instanceof Error ? thrown.message : ''}`);
    }
    setBusy(false);
  };
  return html`
    <div class="card">
      <dl class="facts">
        <div>
          <dt>File</dt>
          <dd>${live.file}</dd>
        </div>
        <div>
          <dt>Hash</dt>
          <dd><code>${live.hash}</code></dd>
        </div>
        <div>
          <dt>In force since</dt>
          <dd>${writeTime(live.loadedAt)} UTC</dd>
        </div>
        <div>
          <dt>Last reload</dt>
          <dd>${live.lastReload === null ? 'none since the start' : html`<${Last} last=${live.lastReload} />`}</dd>
        </div>
        ${
          live.needsRestart.length === 0
            ? null
            : html`<div>
                <dt>Wait for a restart</dt>
                <dd>${live.needsRestart.join(', ')}</dd>
              </div>`
        }
      </dl>
      <p class="actions">
        <button type="button" disabled=${isBusy} onClick=${reload}>Reload from the file</button>${' '}
        <span role="status">${told}</span>
      </p>
      <details>
        <summary>The configuration in force, without secrets</summary>
        <pre tabindex="0" aria-label="Configuration">${JSON.stringify(live.config, null, 2)}</pre>
      </details>
    </div>
  `;
};

/** Which configuration is in force, and what became of the last one that was tried. @param {{ polled: Polled<Live> }} props */
export const Configuration = ({ polled }) =>
  html`<${Section}
    id="configuration"
    title="Configuration"
    polled=${polled}
    absent="This gateway does not tell its configuration."
    show=${(/** @type {Live} */ live) => html`<${Status} live=${live} />`}
  />`;
