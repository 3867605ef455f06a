import { useState } from 'preact/hooks';
import { html } from '../../components/html.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table/table.js';
import { requestJson } from '../../data/api.js';
import { NO_VALUE } from '../../data/format.js';
import { usePoll } from '../../data/poll.js';
import { useSession } from '../../data/session.js';
import { Propose } from './proposal.js';

/**
 * @typedef {object} Configured
 * @property {string} file
 * @property {readonly string[]} uses
 * @property {readonly { name: string, use: string }[]} providers
 * @property {readonly { id: string, targets: readonly string[] }[]} models
 */
/**
 * @typedef {object} Written
 * @property {Readonly<Record<string, { use: string }>>} [providers]
 * @property {Readonly<Record<string, { targets: readonly { provider: string, model: string }[] }>>} [models]
 */

/** @param {AbortSignal} signal @returns {Promise<Configured>} */
const readConfigured = async (signal) => {
  const [live, offer] = await Promise.all([
    requestJson('/admin/config', signal),
    requestJson('/admin/proposals', signal),
  ]);
  const { file, config } = /** @type {{ file: string, config: Written }} */ (live);
  const { uses } = /** @type {{ uses: readonly string[] }} */ (offer);
  return {
    file,
    uses,
    providers: Object.entries(config.providers ?? {}).map(([name, { use }]) => ({ name, use })),
    models: Object.entries(config.models ?? {}).map(([id, { targets }]) => ({
      id,
      targets: targets.map(({ provider, model }) => `${provider}/${model}`),
    })),
  };
};

/** Rows of a large catalog that are shown. */
const MOST = 200;

/** @param {{ configured: Configured }} props */
const Lists = ({ configured: { file, uses, providers, models } }) => {
  const [kind, setKind] = useState(/** @type {'provider' | 'model' | undefined} */ (undefined));
  const refusal = useSession().refusal('POST /admin/proposals');
  /** @param {'provider' | 'model'} name */
  const button = (name) => html`<button type="button" disabled=${refusal !== undefined} title=${refusal} onClick=${() =>
    setKind(name)}>
    Propose a ${name}
  </button>`;
  return html`
    <div class="controls">${button('provider')} ${button('model')}</div>
    <${Table}
      caption="Providers of the file"
      hasCaption
      columns=${[{ title: 'Provider' }, { title: 'Kind' }, { title: 'Models', isNumber: true }]}
      rows=${providers.map(({ name, use }) => ({
        key: name,
        cells: [name, use, models.filter(({ targets }) => targets.some((id) => id.startsWith(`${name}/`))).length],
      }))}
    />
    <${Table}
      caption="Models of the file"
      hasCaption
      columns=${[{ title: 'Model' }, { title: 'Targets' }]}
      rows=${models.slice(0, MOST).map(({ id, targets }) => ({
        key: id,
        cells: [
          html`<span class="wrap">${id}</span>`,
          html`<span class="wrap">${targets.length === 0 ? NO_VALUE : targets.join(', ')}</span>`,
        ],
      }))}
    />
    ${
      models.length > MOST &&
      html`<p class="muted">The first ${MOST} of ${models.length}; the page Configuration has all.</p>`
    }
    ${
      kind !== undefined &&
      html`<${Propose}
        key=${kind}
        kind=${kind}
        choices=${kind === 'model' ? providers.map(({ name }) => name) : uses}
        file=${file}
        close=${() => setKind(undefined)}
      />`
    }
  `;
};

/** The providers and models of the file, and forms that write YAML for further ones. */
export const ConfiguredModels = () => html`<${Panel}
  id="configured"
  title="In the file"
  note="Read-only here: a form writes YAML to copy"
  polled=${usePoll(readConfigured, 15_000)}
  notConfigured="This gateway does not expose its configuration."
  show=${(/** @type {Configured} */ configured) => html`<${Lists} configured=${configured} />`}
/>`;
