/** @import { Route } from '../../data/route.js' */
import { useState } from 'preact/hooks';
import { Field, listOptions } from '../../components/field.js';
import { html } from '../../components/html.js';
import { Page } from '../../components/page.js';
import { ApiError, send } from '../../data/api.js';
import { readNames } from '../../data/names.js';
import { usePoll } from '../../data/poll.js';
import { Explanation } from './explanation.js';

const wires = [
  '',
  'chat-completions',
  'responses',
  'messages',
  'generate-content',
  'interactions',
  'embeddings',
  'embed-content',
];
const NOTE = 'What the gateway would do with a request. Nothing is sent, reserved or counted';

/** The body of `POST /admin/explain`. @param {Readonly<Record<string, string>>} given */
const writeRequest = ({ key = '', model, wire, user, tags, stream, body = '' }) => {
  const parts = key.split('/');
  const owner = parts.length === 3 ? { organization: parts[0], project: parts[1], key: parts[2] } : { key };
  const optional = Object.entries({ wire, user, tags }).filter(([, value]) => value !== undefined && value !== '');
  return {
    ...owner,
    model,
    ...Object.fromEntries(optional),
    ...(stream === 'yes' ? { stream: true } : {}),
    ...(body.trim() === '' ? {} : { body: JSON.parse(body) }),
  };
};

/** Sends the form. @param {Readonly<Record<string, string>>} given */
const useExplanation = (given) => {
  const [state, setState] = useState(
    /** @type {{ data?: unknown, problem?: { param: string, message: string } }} */ ({}),
  );
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    try {
      setState({ data: await send('POST', '/admin/explain', writeRequest(given)) });
    } catch (thrown) {
      const { message } = /** @type {Error} */ (thrown);
      if (thrown instanceof SyntaxError)
        setState({ problem: { param: 'body', message: `The body is not JSON: ${message}` } });
      else setState({ problem: { param: thrown instanceof ApiError ? thrown.param : '', message } });
    }
  };
  return { ...state, submit };
};

const fields = new Set(['key', 'model', 'wire', 'user', 'tags', 'body']);

/** @param {{ id: string, values: readonly string[] }} props */
const Suggestions = ({ id, values }) => html`<datalist id=${id}>${listOptions(values, '')}</datalist>`;

/** What the gateway would do with a request. @param {{ route: Route }} props */
export const Explain = ({ route }) => {
  const names = usePoll(readNames, 60_000).data ?? { keys: [], models: [] };
  const [given, setGiven] = useState(route.query);
  const { data, problem, submit } = useExplanation(given);
  /** @param {string} name @param {string} label @param {Readonly<Record<string, unknown>>} [more] */
  const field = (name, label, more = {}) => html`<${Field}
    id=${`explain-${name}`}
    label=${label}
    value=${given[name] ?? ''}
    change=${(/** @type {string} */ value) => setGiven((last) => ({ ...last, [name]: value }))}
    error=${problem?.param === name ? problem.message : undefined}
    ...${more}
  />`;
  /** @param {string} name @param {string} label @param {readonly string[]} values @param {string} none */
  const select = (name, label, values, none) =>
    field(name, label, { tag: 'select', children: listOptions(values, none) });
  const hint = 'JSON that the client would send. Empty: a small request.';
  return html`<${Page} title="Explain" note=${NOTE}>
    <form class="card plain" onSubmit=${submit}>
      <div class="field-row">
        ${field('key', 'Key', { required: true, list: 'explain-keys', placeholder: 'acme/web/alice' })}
        ${field('model', 'Model', { required: true, list: 'explain-models' })}
      </div>
      <${Suggestions} id="explain-keys" values=${names.keys} />
      <${Suggestions} id="explain-models" values=${names.models} />
      <details>
        <summary>More about the request</summary>
        <div class="field-row">
          ${select('wire', 'Wire', wires, 'the first that offers the model')}
          ${select('stream', 'Streamed', ['', 'yes'], 'as in the body')} ${field('user', 'End user')}
          ${field('tags', 'Tags', { placeholder: 'team=search,feature=chat' })}
        </div>
        ${field('body', 'Body', { tag: 'textarea', hint })}
      </details>
      <p class="actions"><button class="primary">Explain</button></p>
      ${
        problem === undefined || fields.has(problem.param)
          ? null
          : html`<p class="bad" role="alert">${problem.message}</p>`
      }
    </form>
    ${data !== undefined && html`<${Explanation} data=${data} />`}
  <//>`;
};
