/** @import { Message, Offer, Progress } from '../../data/inspector/playground.js' */
/** @import { RequestDetail } from '../../data/requests.js' */
/** @import { Route } from '../../data/route.js' */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Choice, TextChoice } from '../../components/choice.js';
import { html } from '../../components/html.js';
import { Page, Panel } from '../../components/page.js';
import { useAction } from '../../components/submit.js';
import { readNames } from '../../data/names.js';
import { pathOf, readOffer, tryRequest, writeBody } from '../../data/inspector/playground.js';
import { usePoll } from '../../data/poll.js';
import { readPrompt, textOf } from '../../data/inspector/prompt.js';
import { keyOf, readRequest } from '../../data/requests.js';
import { useSession } from '../../data/session.js';
import { Answer } from './answer.js';
import { Messages } from './messages.js';

const HOUR = 3_600_000;
/** @type {readonly Message[]} */
const FIRST = [{ role: 'user', text: 'Hello' }];

/** @param {Offer} offer @param {string} key */
const modelsOf = ({ keys, models }, key) => keys.find(({ id }) => id === key)?.models ?? models;

/**
 * @param {object} props
 * @param {Offer} props.offer
 * @param {string} props.chosen
 * @param {readonly string[]} props.names of keys that editors can try
 * @param {(key: string) => void} props.choose
 */
const KeyChoice = ({ offer: { keys, others }, chosen, names, choose }) =>
  others
    ? html`<${TextChoice}
        id="try-key"
        label="Key"
        value=${chosen}
        suggestions=${[
          ...keys.map(({ organization, project, name }) => `${organization}/${project}/personal:${name}`),
          ...names,
        ]}
        choose=${choose}
        placeholder="acme/web/alice"
        isWide=${true}
        required=${true}
      />`
    : html`<${Choice}
        id="try-key"
        label="Key"
        value=${chosen}
        options=${keys.map(({ id, name, project }) => [id, `${name} (${project})`])}
        choose=${choose}
        isWide
      />`;

/**
 * The text of an earlier request, where the prompt log has it.
 * @param {{ request: RequestDetail, fill: (messages: readonly Message[]) => void }} props
 */
const FillIn = ({ request, fill }) => {
  const { has, refusal } = useSession();
  const { isBusy, problem, start } = useAction(async () => {
    const { turns = [] } = (await readPrompt(request)).request;
    if (turns.length > 0) fill(turns.map(({ role, parts }) => ({ role, text: parts.map(textOf).join('\n') })));
  });
  if (!has('POST /admin/prompts'))
    return html`<p class="muted small">The text of the request is not kept: there is no plugin prompt-log.</p>`;
  const reason = refusal('POST /admin/prompts');
  return html`
    <p class="pair">
      <button type="button" disabled=${isBusy || reason !== undefined} onClick=${start}>Fill in its text</button>
      <span class="muted small">${problem || (reason ?? REDACTED)}</span>
    </p>
  `;
};

/** Sends requests, one at a time, and keeps what has arrived of the last one. */
const useTry = () => {
  const [progress, setProgress] = useState(/** @type {Progress | undefined} */ (undefined));
  const [isBusy, setBusy] = useState(false);
  const running = useRef(new AbortController());
  // A page that is left does not go on spending.
  useEffect(() => () => running.current.abort(), []);
  /** @param {ReturnType<typeof writeBody>} body */
  const start = async (body) => {
    setBusy(true);
    const controller = new AbortController();
    running.current = controller;
    await tryRequest(body, controller.signal, setProgress).catch((/** @type {Error} */ { message }) =>
      setProgress((last) => ({
        ...(last ?? { text: '', reasoning: '', id: '' }),
        problem: controller.signal.aborted ? 'Stopped.' : message,
      })),
    );
    setBusy(false);
  };
  return { progress, isBusy, start, stop: () => running.current.abort() };
};

/** @param {{ value: string, change: (value: string) => void }} props */
const MostTokens = ({ value, change }) => html`<div class="choice">
  <label for="try-tokens">Most tokens of output</label>
  <input
    id="try-tokens"
    inputmode="numeric"
    pattern="[1-9][0-9]*"
    placeholder="model’s own"
    value=${value}
    onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => change(currentTarget.value)}
  />
</div>`;

/**
 * @param {object} props
 * @param {Offer} props.offer
 * @param {string} props.path
 * @param {RequestDetail | undefined} props.earlier
 */
const Form = ({ offer, path, earlier }) => {
  const { session } = useSession();
  const names = usePoll(session.actor.role === 'developer' ? noNames : readNames, HOUR).data?.keys ?? [];
  const [key, setKey] = useState(offer.others && earlier !== undefined ? keyOf(earlier) : (offer.keys[0]?.id ?? ''));
  const [model, setModel] = useState(earlier?.model ?? '');
  const [messages, setMessages] = useState(FIRST);
  const [maxTokens, setMaxTokens] = useState('');
  const { progress, isBusy, start, stop } = useTry();
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    return start(writeBody(path, key, model, messages, maxTokens));
  };
  return html`
    <form class="card plain" onSubmit=${submit}>
      <div class="controls">
        <${KeyChoice} offer=${offer} chosen=${key} names=${names} choose=${setKey} />
        <${TextChoice}
          id="try-model"
          label="Model"
          value=${model}
          suggestions=${modelsOf(offer, key)}
          choose=${setModel}
          isWide=${true}
          required=${true}
        />
        <${MostTokens} value=${maxTokens} change=${setMaxTokens} />
      </div>
      ${earlier !== undefined && html`<${FillIn} request=${earlier} fill=${setMessages} />`}
      <${Messages} messages=${messages} change=${setMessages} />
      <div class="actions">
        <button type="submit" class="primary" disabled=${isBusy}>Send</button>
        ${isBusy && html`<button type="button" onClick=${stop}>Stop</button>`}
        <span class="muted small">It counts as a request of the key: limits apply, and it costs what it costs.</span>
      </div>
    </form>
    ${progress !== undefined && html`<${Answer} progress=${progress} isBusy=${isBusy} />`}
  `;
};

const noNames = async () => ({ keys: /** @type {readonly string[]} */ ([]) });

const NOTE = 'A request as a client sends it, with its cost. The audit log records it.';
const REDACTED = 'From the prompt log; secrets are redacted.';
const NO_KEY =
  'There is no key that you can use here. Make one on the page My keys, or ask an operator for the role editor.';

/** Sends requests as a client does, with a key that the person may use. @param {{ route: Route }} props */
export const Playground = ({ route }) => {
  const id = route.query['request'];
  const load = async (/** @type {AbortSignal} */ signal) => ({
    offer: await readOffer(signal),
    earlier: id === undefined ? undefined : await readRequest(id, signal).catch(() => undefined),
  });
  const polled = usePoll(load, HOUR, id);
  /** @param {{ offer: Offer, earlier: RequestDetail | undefined }} data */
  const show = ({ offer, earlier }) => {
    const path = pathOf(offer);
    if (path === undefined)
      return html`<p class="card empty">This gateway has no route with the wire chat-completions.</p>`;
    if (!offer.others && offer.keys.length === 0) return html`<p class="card empty">${NO_KEY}</p>`;
    return html`<${Form} key=${earlier?.id} offer=${offer} path=${path} earlier=${earlier} />`;
  };
  return html`<${Page} title="Playground" note=${NOTE}>
    <${Panel} id="playground" title="Playground" isTitleHidden polled=${polled} show=${show} />
  <//>`;
};
