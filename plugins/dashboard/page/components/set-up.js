import { useState } from 'preact/hooks';
import { requestJson } from '../data/api.js';
import { usePoll } from '../data/poll.js';
import { Choice } from './choice.js';
import { CopyButton } from './copy-button.js';
import { html } from './html.js';

/**
 * A coding agent as `koine agents` has it, with `{url}` and `{model}`.
 * @typedef {object} AgentSetUp
 * @property {string} title
 * @property {{ readonly path: string, readonly text: string }} [file]
 * @property {string} commands
 */

const HOUR = 3_600_000;
const CURL = 'curl';

/** @param {string} url @param {string} model */
export const curlOf = (url, model) => `curl ${url}/v1/chat/completions \\
  -H "authorization: Bearer $KOINE_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'`;

/** @param {AbortSignal} signal */
const readAgents = async (signal) =>
  /** @type {readonly AgentSetUp[]} */ (await requestJson('/dashboard/set-ups.json', signal));

/** @param {{ text: string, label: string }} props */
const Lines = ({ text, label }) => html`
  <pre tabindex="0" role="region" aria-label=${label}>${text}</pre>
  <div class="actions"><${CopyButton} text=${text} /></div>
`;

/**
 * How a program is connected to the gateway, with the key in `KOINE_KEY`.
 * @param {{ id: string, url: string, models: readonly string[] }} props the models that the key can use
 */
export const SetUp = ({ id, url, models }) => {
  const [chosen, setModel] = useState('');
  const model = models.includes(chosen) ? chosen : (models.find((name) => !name.includes('*')) ?? 'MODEL');
  const agents = usePoll(readAgents, HOUR).data ?? [];
  const [title, setTitle] = useState(CURL);
  const agent = agents.find((one) => one.title === title);
  const note = model === 'MODEL' ? ', and a model instead of MODEL' : '';
  /** @param {string} text */
  const fill = (text) => text.replaceAll('{url}', url).replaceAll('{model}', model).trimEnd();
  return html`
    <div class="controls">
    <${Choice}
      id=${id}
      label="Use it with"
      value=${title}
      options=${[CURL, ...agents.map((one) => one.title)].map((name) => [name, name])}
      choose=${setTitle}
    />
    <${Choice}
      id=${`${id}-model`}
      label="Model"
      value=${model}
      options=${(models.length === 0 ? ['MODEL'] : models).map((name) => [name, name])}
      choose=${setModel}
    />
    </div>
    <p class="muted small">
      With the secret in the variable <code>KOINE_KEY</code>${note}:
    </p>
    ${
      agent?.file === undefined
        ? null
        : html`<p class="small"><code>${agent.file.path}</code></p>
            <${Lines} text=${fill(agent.file.text)} label=${`File of ${title}`} />
            <p class="small">Commands</p>`
    }
    <${Lines} text=${agent === undefined ? curlOf(url, model) : fill(agent.commands)} label=${`Commands of ${title}`} />
  `;
};
