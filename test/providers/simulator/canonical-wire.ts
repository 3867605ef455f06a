import { invalidRequest, type GenerateRequest, type Headers } from '../../../core/api/index.ts';
import { isObject, type ClientSide, type Codec } from '../../../core/api/codec.ts';

/** A canonical request with the members that a test sets. */
export const request = (members: Partial<GenerateRequest> & { readonly text?: string }): GenerateRequest => {
  const { text, ...extra } = members;
  return {
    wire: 'chat-completions',
    turns: [{ role: 'user', parts: [{ type: 'text', text: text ?? 'Good morning' }] }],
    tools: [],
    choices: 1,
    stream: false,
    includeUsage: true,
    extra: { wire: 'chat-completions', members: {} },
    ...extra,
  };
};

/** Has its own status for an overloaded provider, as messages does. */
const client = {
  decodeRequest: ({ body, model, stream, headers }) => {
    if (!isObject(body)) throw invalidRequest('', 'The body must be an object.');
    if (headers['anthropic-version'] === undefined) throw invalidRequest('anthropic-version', 'A version is missing.');
    const canonical = body as unknown as GenerateRequest;
    return { model: model ?? '', request: { ...canonical, stream: canonical.stream || stream === true } };
  },
  encodeResponse: (response, { created, newId }) => ({
    id: newId('first-'),
    other: newId('second-'),
    created,
    ...response,
  }),
  encodeStream: ({ newId, created }) => {
    const id = newId('first-');
    return {
      push: (event, write) => {
        if (event.type === 'error')
          write(
            'error',
            JSON.stringify({ type: 'error', error: { code: event.error.code, message: event.error.message } }),
          );
        else
          write(event.type, JSON.stringify({ ...event, ...(event.type === 'response-start' ? { id, created } : {}) }));
      },
    };
  },
  encodeError: ({ status, code, message, param, retryAfterMs }) => {
    const headers: Headers = retryAfterMs === undefined ? {} : { 'retry-after': String(retryAfterMs / 1_000) };
    return {
      status: code === 'upstream_overloaded' ? 529 : status,
      headers,
      body: { error: { code, message, param } },
    };
  },
} satisfies ClientSide<'generate'>;

/** Writes the canonical form as JSON, so that tests read the simulator's output independent of any wire. */
export const canonicalCodec = { operation: 'generate', wire: 'chat-completions', client } satisfies Codec<'generate'>;
