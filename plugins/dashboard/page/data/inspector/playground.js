import { requestJson } from '../api.js';

/**
 * What the signed-in person can try: docs/reference/admin.md.
 * @typedef {object} Offer
 * @property {readonly OwnKey[]} keys
 * @property {boolean} others keys of others can be named
 * @property {readonly string[]} models
 * @property {readonly { readonly path: string, readonly wire: string, readonly operation: string }[]} routes
 */
/**
 * @typedef {object} OwnKey
 * @property {string} id
 * @property {string} name
 * @property {string} organization
 * @property {string} project
 * @property {readonly string[]} models that it allows
 */
/** @typedef {{ readonly role: string, readonly text: string }} Message */
/**
 * How far an attempt has come. `cost` is in dollars.
 * @typedef {object} Progress
 * @property {string} text
 * @property {string} reasoning
 * @property {string} problem
 * @property {string} id of the request
 * @property {number} [firstMs]
 * @property {number} [totalMs]
 * @property {string} [cost]
 * @property {{ readonly input: number, readonly output: number }} [usage]
 */

/** The wire that the page speaks. */
const WIRE = 'chat-completions';

/** @param {AbortSignal} signal */
export const readOffer = async (signal) => /** @type {Offer} */ (await requestJson('/admin/playground', signal));

/** The route that the page sends to. @param {Offer} offer */
export const pathOf = ({ routes }) =>
  routes.find(({ wire, operation }) => wire === WIRE && operation === 'generate')?.path;

/** `acme/web/alice`, or the id of an own key. @param {string} written */
export const readKey = (written) => {
  const [organization = '', project = '', ...name] = written.split('/');
  return name.length === 0 ? { key: written } : { organization, project, key: name.join('/') };
};

/**
 * @param {string} path
 * @param {string} key
 * @param {string} model
 * @param {readonly Message[]} messages
 * @param {string} maxTokens
 */
export const writeBody = (path, key, model, messages, maxTokens) => ({
  ...readKey(key),
  path,
  body: {
    model,
    messages: messages.map(({ role, text }) => ({ role, content: text })),
    ...(maxTokens === '' ? {} : { max_tokens: Number(maxTokens) }),
    stream: true,
    stream_options: { include_usage: true },
  },
});

/** @typedef {{ content?: string, reasoning_content?: string }} Delta */
/** @typedef {{ choices?: readonly { delta?: Delta }[], error?: { message?: string } }} Chunk */

/** @param {Progress} progress @param {string} text of a comment: `x-koine-cost 0.000123` @returns {Progress} */
const addComment = (progress, text) => {
  const [name = '', ...words] = text.trim().split(' ');
  const value = words.join(' ');
  if (name === 'x-koine-cost') return { ...progress, cost: value };
  return name === 'x-koine-usage' ? { ...progress, usage: JSON.parse(value) } : progress;
};

/** @param {Progress} progress @param {string} data @param {number} ms @returns {Progress} */
const addData = (progress, data, ms) => {
  if (data === '[DONE]') return progress;
  const { choices, error } = /** @type {Chunk} */ (JSON.parse(data));
  if (error !== undefined) return { ...progress, problem: error.message ?? data };
  const { content, reasoning_content: reasoning } = choices?.[0]?.delta ?? {};
  if (!content && !reasoning) return progress;
  return {
    ...progress,
    firstMs: progress.firstMs ?? ms,
    text: progress.text + (content ?? ''),
    reasoning: progress.reasoning + (reasoning ?? ''),
  };
};

/** Adds one line of server-sent events. @param {Progress} progress @param {string} line @param {number} ms */
export const addLine = (progress, line, ms) => {
  if (line.startsWith(':')) return addComment(progress, line.slice(1));
  return line.startsWith('data:') ? addData(progress, line.slice('data:'.length).trim(), ms) : progress;
};

/** @param {Response} response */
const readProblem = async (response) => {
  /** @type {{ error?: { message?: string } } | undefined} */
  const body = await response.json().catch(() => undefined);
  return body?.error?.message ?? `The gateway responded with status ${response.status}.`;
};

/**
 * Sends a request as a client does, and reports what arrives.
 * @param {ReturnType<typeof writeBody>} body
 * @param {AbortSignal} signal
 * @param {(progress: Progress) => void} show
 */
export const tryRequest = async (body, signal, show) => {
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  const response = await fetch('/admin/playground', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-koine-page': '1' },
    body: JSON.stringify(body),
    signal,
  });
  const id = response.headers.get('x-request-id') ?? '';
  /** @type {Progress} */
  let progress = { text: '', reasoning: '', problem: '', id };
  if (!response.ok || response.body === null) {
    show({ ...progress, problem: await readProblem(response), totalMs: since() });
    return;
  }
  let rest = '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) progress = addLine(progress, line.trimEnd(), since());
    show(progress);
  }
  show({ ...progress, totalMs: since() });
};
