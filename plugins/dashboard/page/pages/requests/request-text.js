/** @import { PromptRecord, Turn } from '../../data/inspector/prompt.js' */
/** @import { RequestDetail } from '../../data/requests.js' */
import { useState } from 'preact/hooks';
import { html } from '../../components/html.js';
import { useAction } from '../../components/submit.js';
import { readPrompt, textOf } from '../../data/inspector/prompt.js';
import { useSession } from '../../data/session.js';

const RECORDED = 'From the prompt log. The audit log records that you have read it.';

/** Titles of parts that are not plain text. @type {Readonly<Record<string, string>>} */
const titles = {
  'reasoning': 'reasoning',
  'tool-call': 'calls a tool',
  'tool-result': 'result of a tool',
  'refusal': 'refuses',
};

/** @param {Turn & { title?: string }} turn @param {number} index */
const describeTurn = ({ role, parts, title = role }, index) => html`
  <li key=${index}>
    <strong>${title}</strong>
    ${parts.map(
      (part, at) => html`<div key=${at}>
        ${titles[part.type] !== undefined && html`<span class="muted small">${titles[part.type]}</span>`}
        <pre class="wrap">${textOf(part)}</pre>
      </div>`,
    )}
  </li>
`;

/** @param {{ record: PromptRecord }} props */
const Conversation = ({ record: { request, response, cut } }) => {
  const { turns } = request;
  const choices = response?.choices ?? [];
  if (turns === undefined)
    return html`<pre class="wrap" tabindex="0" role="region" aria-label="Text of the request">
${JSON.stringify(request, null, 2)}</pre
    >`;
  const answers = choices.map(({ parts }, index) => ({
    role: 'assistant',
    title: choices.length === 1 ? 'assistant (response)' : `assistant (response ${index + 1})`,
    parts,
  }));
  return html`
    <ol class="trail" aria-label="Text of the request">
      ${[...turns, ...answers].map(describeTurn)}
    </ol>
    ${cut && html`<p class="muted small">The response was longer; its beginning was kept.</p>`}
    ${answers.length === 0 && html`<p class="muted small">The prompt log has no text of a response.</p>`}
  `;
};

/**
 * The text of a request, where the prompt log has it. It is read only with the button.
 * @param {{ request: RequestDetail }} props
 */
export const RequestText = ({ request }) => {
  const { refusal } = useSession();
  const [record, setRecord] = useState(/** @type {PromptRecord | undefined} */ (undefined));
  const { isBusy, problem, start } = useAction(async () => setRecord(await readPrompt(request)));
  const reason = refusal('POST /admin/prompts');
  return html`
    <h3>Text</h3>
    ${
      record === undefined
        ? html`<div class="pair">
            <button type="button" disabled=${isBusy || reason !== undefined} onClick=${start}>Show the text</button>
            <span class="muted small">${reason ?? RECORDED}</span>
          </div>`
        : html`<${Conversation} record=${record} />`
    }
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
  `;
};
