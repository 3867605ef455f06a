import { useState } from 'preact/hooks';
import { Badge } from '../../components/badge.js';
import { Facts } from '../../components/facts.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { requestJson, send } from '../../data/api.js';
import { formatTime } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';
import { useSession } from '../../data/session.js';
import { zoneName } from '../../data/zone.js';
import { Workers } from './workers.js';

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
    <${Badge} state=${reload.result} /> at ${formatTime(reload.at)} ${zoneName()}, triggered by${' '}
    ${triggers[reload.trigger] ?? reload.trigger}${reload.result === 'failed' ? STAYS_ACTIVE : ''}
  </p>
  ${
    reload.problems.length > 0 &&
    html`<ul class="problems">
      ${reload.problems.map(describeProblem).map((problem) => html`<li key=${problem}>${problem}</li>`)}
    </ul>`
  }
`;

/** @param {{ live: LiveConfiguration }} props */
const Status = ({ live: { file, hash, loadedAt, lastReload, needsRestart } }) => html`
  <${Facts}
    facts=${[
      ['File', file],
      ['Hash', html`<code>${hash}</code>`],
      ['Active since', `${formatTime(loadedAt)} ${zoneName()}`],
      ['Last reload', lastReload === null ? 'none since the start' : html`<${ReloadResult} reload=${lastReload} />`],
      ['Restart required for', needsRestart.join(', ')],
    ]}
  />
`;

/** @param {{ live: LiveConfiguration }} props */
const Active = ({ live }) => {
  const refusal = useSession().refusal('POST /admin/reload');
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const reload = async () => {
    setBusy(true);
    try {
      const { result } = /** @type {{ result: string }} */ (await send('POST', '/admin/reload', {}, `"${live.hash}"`));
      setMessage(result === 'unchanged' ? 'The file has not changed.' : 'The configuration was reloaded.');
    } catch (thrown) {
      setMessage(`The configuration was not reloaded. ${thrown instanceof Error ? thrown.message : ''}`);
    }
    setBusy(false);
  };
  return html`
    <div class="card plain">
      <${Status} live=${live} />
      <p class="actions">
        <button
          type="button"
          disabled=${isBusy || refusal !== undefined}
          aria-describedby="reload-status"
          onClick=${reload}
        >
          Reload from the file
        </button>
        <span role="status" id="reload-status" class="muted">${refusal ?? message}</span>
      </p>
      <details>
        <summary>Active configuration, without secrets</summary>
        <pre tabindex="0" role="region" aria-label="Configuration">${JSON.stringify(live.config, null, 2)}</pre>
      </details>
    </div>
  `;
};

/** The active configuration, the result of the last reload, and the workers. */
export const Configuration = () => {
  const polled = usePoll(readConfiguration, 5_000);
  return html`<${Page} title="Configuration" note="Read-only here: change the file, and the gateway reloads it">
    <${Panel}
      id="configuration"
      title="Active configuration"
      polled=${polled}
      notConfigured="This gateway does not expose its configuration."
      show=${(/** @type {LiveConfiguration} */ live) => html`<${Active} live=${live} />`}
    />
    <${Workers} />
  <//>`;
};
