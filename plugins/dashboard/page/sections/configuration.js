/** @import { Polled } from '../data/poll.js' */
import { useState } from 'preact/hooks';
import { Badge } from '../components/badge.js';
import { html } from '../components/html.js';
import { Section } from '../components/section.js';
import { request, requestJson } from '../data/api.js';
import { formatTime } from '../data/format.js';

/**
 * @typedef {object} Problem
 * @property {string} rule
 * @property {string} message
 * @property {string} [file]
 * @property {number} [line]
 * @property {number} [column]
 * @property {string} [severity]
 */
/**
 * @typedef {object} Reload
 * @property {string} at
 * @property {'reloaded' | 'unchanged' | 'failed'} result
 * @property {string} trigger
 * @property {readonly Problem[]} problems
 */
/**
 * The response of /admin/config.
 * @typedef {object} LiveConfiguration
 * @property {string} file
 * @property {string} hash
 * @property {string} loadedAt
 * @property {Reload | null} lastReload
 * @property {readonly string[]} needsRestart
 * @property {{ readonly providers?: Readonly<Record<string, unknown>> }} config
 */

/** @param {AbortSignal} signal */
export const readConfiguration = async (signal) =>
  /** @type {LiveConfiguration} */ (await requestJson('/admin/config', signal));

/** @param {Problem} problem */
const describeProblem = ({ rule, message, file, line, column }) =>
  `${file === undefined ? '' : `${file}:${line}:${column} `}${rule}: ${message}`;

/** @type {Readonly<Record<string, string>>} */
const triggers = { admin: 'the admin API', file: 'a file change', signal: 'a signal' };

const STAYS_ACTIVE = '. The previous configuration stays active.';

/** @param {{ reload: Reload }} props */
const ReloadResult = ({ reload }) => html`
  <p>
    <${Badge} state=${reload.result} /> at ${formatTime(reload.at)} UTC, triggered by${' '}
    ${triggers[reload.trigger] ?? reload.trigger}${reload.result === 'failed' ? STAYS_ACTIVE : ''}
  </p>
  ${
    reload.problems.length === 0
      ? null
      : html`<ul class="problems">
          ${reload.problems.map(describeProblem).map((problem) => html`<li key=${problem}>${problem}</li>`)}
        </ul>`
  }
`;

/** @param {{ live: LiveConfiguration }} props */
const Facts = ({ live: { file, hash, loadedAt, lastReload, needsRestart } }) => html`
  <dl class="facts">
    <div>
      <dt>File</dt>
      <dd>${file}</dd>
    </div>
    <div>
      <dt>Hash</dt>
      <dd><code>${hash}</code></dd>
    </div>
    <div>
      <dt>Active since</dt>
      <dd>${formatTime(loadedAt)} UTC</dd>
    </div>
    <div>
      <dt>Last reload</dt>
      <dd>${lastReload === null ? 'none since the start' : html`<${ReloadResult} reload=${lastReload} />`}</dd>
    </div>
    ${
      needsRestart.length === 0
        ? null
        : html`<div>
            <dt>Restart required for</dt>
            <dd>${needsRestart.join(', ')}</dd>
          </div>`
    }
  </dl>
`;

/** @param {{ live: LiveConfiguration }} props */
const Status = ({ live }) => {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const reload = async () => {
    setBusy(true);
    try {
      const response = await request('/admin/reload', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'if-match': `"${live.hash}"` },
      });
      const { result } = /** @type {{ result: string }} */ (await response.json());
      setMessage(result === 'unchanged' ? 'The file has not changed.' : 'The configuration was reloaded.');
    } catch (thrown) {
      setMessage(`The configuration was not reloaded. ${thrown instanceof Error ? thrown.message : ''}`);
    }
    setBusy(false);
  };
  return html`
    <div class="card">
      <${Facts} live=${live} />
      <p class="actions">
        <button type="button" disabled=${isBusy} onClick=${reload}>Reload from the file</button>${' '}
        <span role="status">${message}</span>
      </p>
      <details>
        <summary>Active configuration, without secrets</summary>
        <pre tabindex="0" aria-label="Configuration">${JSON.stringify(live.config, null, 2)}</pre>
      </details>
    </div>
  `;
};

/** The active configuration and the result of the last reload. @param {{ polled: Polled<LiveConfiguration> }} props */
export const Configuration = ({ polled }) =>
  html`<${Section}
    id="configuration"
    title="Configuration"
    polled=${polled}
    notConfigured="This gateway does not expose its configuration."
    show=${(/** @type {LiveConfiguration} */ live) => html`<${Status} live=${live} />`}
  />`;
