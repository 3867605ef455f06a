import {
  GatewayError,
  type FailureClass,
  type Finish,
  type JsonObject,
  type Usage,
} from '../../../../core/api/index.ts';
import {
  emptyResponse,
  foldEvents,
  lookUp,
  malformedFrame,
  omitUndefined,
  parseJson,
  readCount,
  readObject,
  readObjects,
  readText,
  upstreamError,
  type Codec,
  type EmitEvent,
  type ErrorReply,
  type EventDecoder,
  type Frame,
  type GenerateEvent,
  type PartKind,
  type ReadContext,
} from '../../../../core/api/codec.ts';
import type { Expectation, Recording } from '../../../../core/testing/index.ts';

/** The names of a vendor: of its frames, of their members, and of the reasons and failures in them. */
export interface Vocabulary {
  readonly wire: string;
  readonly kind: string;
  /** Kinds of frames. */
  readonly hello: string;
  readonly say: string;
  readonly think: string;
  readonly call: string;
  readonly more: string;
  readonly meter: string;
  readonly bye: string;
  readonly fault: string;
  /** Members of frames. */
  readonly model: string;
  readonly text: string;
  readonly id: string;
  readonly name: string;
  readonly read: string;
  readonly reused: string;
  readonly made: string;
  readonly mulled: string;
  readonly how: string;
  readonly code: string;
  readonly words: string;
  readonly frames: string;
  readonly finishes: Readonly<Record<string, Finish['reason']>>;
  readonly failures: Readonly<Record<string, FailureClass>>;
}

const reasonOf = (found: Readonly<Record<string, Finish['reason']>>, reason: Finish['reason']): string =>
  Object.keys(found).find((word) => found[word] === reason) ?? '';

/** Words that no other vendor has. */
export const ownWords: Vocabulary = {
  wire: 'own-words',
  kind: 'k',
  hello: 'hello',
  say: 'say',
  think: 'why',
  call: 'do',
  more: 'do+',
  meter: 'meter',
  bye: 'bye',
  fault: 'ouch',
  model: 'who',
  text: 't',
  id: 'nr',
  name: 'what',
  read: 'read',
  reused: 'reused',
  made: 'made',
  mulled: 'mulled',
  how: 'how',
  code: 'pain',
  words: 'cry',
  frames: 'all',
  finishes: { done: 'stop', full: 'length', do: 'tool_calls', blocked: 'content_filter' },
  failures: { busy: 'overloaded', spent: 'quota', slow: 'rate-limit', wrong: 'caller-fault', broke: 'transient' },
};

/** Words that many vendors have. */
export const usualWords: Vocabulary = {
  wire: 'usual-words',
  kind: 'type',
  hello: 'start',
  say: 'text',
  think: 'reasoning',
  call: 'tool_call',
  more: 'tool_call_delta',
  meter: 'usage',
  bye: 'finish',
  fault: 'error',
  model: 'model',
  text: 'text',
  id: 'id',
  name: 'name',
  read: 'input_tokens',
  reused: 'cached_tokens',
  made: 'output_tokens',
  mulled: 'reasoning_tokens',
  how: 'finish_reason',
  code: 'error',
  words: 'message',
  frames: 'content',
  finishes: { stop: 'stop', length: 'length', tool_calls: 'tool_calls', content_filter: 'content_filter' },
  failures: {
    overloaded: 'overloaded',
    insufficient_quota: 'quota',
    rate_limited: 'rate-limit',
    invalid_request: 'caller-fault',
    internal: 'transient',
  },
};

class Decoder implements EventDecoder {
  readonly #words: Vocabulary;
  readonly #turn: number;
  #started = false;
  #ended = false;
  #open: { readonly part: number; readonly kind: PartKind } | undefined;
  #parts = 0;
  #finished = false;

  constructor(words: Vocabulary, { turn }: ReadContext) {
    this.#words = words;
    this.#turn = turn;
  }

  push({ data }: Frame, emit: EmitEvent): void {
    if (this.#ended || data === '') return;
    const frame = parseJson(data);
    if (typeof frame === 'object' && frame !== null) this.read(readObject(frame), emit);
    else this.#fail(malformedFrame(), emit);
  }

  read(frame: Readonly<JsonObject>, emit: EmitEvent): void {
    const { kind, hello, say, think, call, more, meter, bye, fault, text, model } = this.#words;
    const written = readText(frame[text]);
    if (frame[kind] === hello) this.#start(readText(frame[model]), emit);
    else if (frame[kind] === say) this.#write('text', written, emit);
    else if (frame[kind] === think) this.#write('reasoning', written, emit);
    else if (frame[kind] === call) this.#startCall(frame, emit);
    else if (frame[kind] === more && this.#open?.kind === 'tool-call') this.#delta(written, emit);
    else if (frame[kind] === bye) this.#finish(frame, emit);
    else if (frame[kind] === meter) this.#count(frame, emit);
    else if (frame[kind] === fault)
      this.#fail(decodeError(this.#words, { status: 500, headers: {}, body: frame }), emit);
  }

  end(emit: EmitEvent): void {
    if (!this.#ended) this.#fail(new GatewayError('upstream_truncated'), emit);
  }

  #start(model: string, emit: EmitEvent): void {
    if (!this.#started) emit(omitUndefined<GenerateEvent>({ type: 'response-start', model: model || undefined }));
    this.#started = true;
  }

  #write(kind: PartKind, text: string, emit: EmitEvent): void {
    if (text === '' || this.#finished) return;
    if (this.#open?.kind !== kind) this.#startPart(kind, emit);
    this.#delta(text, emit);
  }

  #startCall(frame: Readonly<JsonObject>, emit: EmitEvent): void {
    if (this.#finished) return;
    const { id, name, text } = this.#words;
    const call = {
      id: readText(frame[id]) || `call_${this.#turn}_${this.#parts}`,
      name: readText(frame[name]),
      kind: 'function',
    } as const;
    this.#start('', emit);
    this.#close(emit);
    this.#open = { part: this.#parts, kind: 'tool-call' };
    emit({ type: 'part-start', choice: 0, part: this.#parts, kind: 'tool-call', call });
    this.#delta(readText(frame[text]), emit);
  }

  #startPart(kind: PartKind, emit: EmitEvent): void {
    this.#start('', emit);
    this.#close(emit);
    this.#open = { part: this.#parts, kind };
    emit({ type: 'part-start', choice: 0, part: this.#parts, kind });
  }

  #delta(text: string, emit: EmitEvent): void {
    if (this.#open !== undefined && text !== '') emit({ type: 'part-delta', choice: 0, part: this.#open.part, text });
  }

  #close(emit: EmitEvent): void {
    if (this.#open === undefined) return;
    emit({ type: 'part-end', choice: 0, part: this.#open.part });
    this.#open = undefined;
    this.#parts += 1;
  }

  #finish(frame: Readonly<JsonObject>, emit: EmitEvent): void {
    if (this.#finished) return;
    const vendor = readText(frame[this.#words.how]);
    this.#start('', emit);
    this.#close(emit);
    this.#finished = true;
    emit({ type: 'choice-end', choice: 0, finish: { reason: lookUp(this.#words.finishes, vendor) ?? 'stop', vendor } });
  }

  /** The last frame of a response. */
  #count(frame: Readonly<JsonObject>, emit: EmitEvent): void {
    if (!this.#finished) return;
    const { read, reused, made, mulled } = this.#words;
    const input = readCount(frame[read]);
    const output = readCount(frame[made]);
    const cacheRead = Math.min(input, readCount(frame[reused]));
    const usage: Usage = {
      inputUncached: input - cacheRead,
      cacheRead,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output,
      reasoning: Math.min(output, readCount(frame[mulled])),
      source: 'provider',
      raw: frame,
    };
    emit({ type: 'usage', usage });
    emit({ type: 'response-end' });
    this.#ended = true;
  }

  #fail(error: GatewayError, emit: EmitEvent): void {
    this.#ended = true;
    emit({ type: 'error', error });
  }
}

const decodeError = ({ wire, code, words, failures }: Vocabulary, reply: ErrorReply): GatewayError => {
  const body = readObject(reply.body);
  return upstreamError(
    wire,
    reply,
    omitUndefined({ failure: lookUp(failures, readText(body[code])), message: readText(body[words]) || undefined }),
  );
};

/** The codec of a vendor with these words; the upstream side alone. It writes requests in the canonical form. */
export const createCodec = (words: Vocabulary): Codec<'generate'> => ({
  operation: 'generate',
  wire: words.wire,
  upstream: {
    limits: {},
    encodeRequest: (request) => ({ body: { request }, headers: {} }),
    decodeResponse: (body, context) => {
      const events: GenerateEvent[] = [];
      const decoder = new Decoder(words, context);
      for (const frame of readObjects(readObject(body)[words.frames]))
        decoder.read(frame, (event) => events.push(event));
      if (events.at(-1)?.type !== 'response-end') throw emptyResponse();
      return foldEvents(events);
    },
    decodeStream: (context) => new Decoder(words, context),
    decodeError: (reply) => decodeError(words, reply),
  },
});

/** A response of each kind in these words, plain and streamed, and errors. What they say is the same in all words. */
export function createRecordings(words: Vocabulary): readonly Recording[] {
  const { wire, kind, hello, say, think, call, more, meter, bye, fault, text, code, finishes, failures } = words;
  const origin = 'written by hand after no vendor';
  const start = { [kind]: hello, [words.model]: 'm-7' };
  const counts = { [words.read]: 30, [words.reused]: 20, [words.made]: 12, [words.mulled]: 5 };
  const usage = { inputUncached: 10, cacheRead: 20, output: 12, reasoning: 5 };
  const end = (reason: Finish['reason']): readonly object[] => [
    { [kind]: bye, [words.how]: reasonOf(finishes, reason) },
    { [kind]: meter, ...counts },
  ];
  const piece = (name: string, written: string): object => ({ [kind]: name, [text]: written });
  const called = (id: string, city: string, written = JSON.stringify({ city })): object => ({
    [kind]: call,
    [words.id]: id,
    [words.name]: city === '' ? 'time' : 'weather',
    [text]: written,
  });
  const sayOf = (parts: readonly JsonObject[], reason: Finish['reason']): Expectation => ({
    model: 'm-7',
    choices: [{ parts, finish: { reason } }],
    usage,
  });
  const plain = (name: string, frames: readonly object[], expected: Expectation): Recording => ({
    name: `${name} plain`,
    origin,
    wire,
    case: name,
    response: { status: 200, body: { [words.frames]: [start, ...frames] } },
    expected,
  });
  const streamed = (name: string, frames: readonly object[], expected: Expectation): Recording => ({
    name: `${name} streamed`,
    origin,
    wire,
    case: name,
    response: {
      status: 200,
      text: [start, ...frames].map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''),
    },
    expected,
  });
  const wordOf = (failure: FailureClass): string =>
    Object.keys(failures).find((key) => failures[key] === failure) ?? '';
  const refused = (status: number, failure: FailureClass, expected: Expectation['error']): Recording => ({
    name: `refused with ${status} ${failure}`,
    origin,
    wire,
    response: { status, body: { [code]: wordOf(failure), [words.words]: expected?.message } },
    expected: omitUndefined<Expectation>({ error: expected }),
  });
  const cut = sayOf(
    [
      { type: 'reasoning', text: 'A greeting.' },
      { type: 'text', text: 'Hello, Héllo there 😀' },
    ],
    'length',
  );
  const calls = (first: string, second: string): Expectation =>
    sayOf(
      [
        { type: 'text', text: 'Both at once.' },
        { type: 'tool-call', id: first, name: 'weather', input: { city: 'Paris' } },
        { type: 'tool-call', id: second, name: 'time', input: { city: '' } },
      ],
      'tool_calls',
    );
  const blocked = sayOf([{ type: 'text', text: 'I will' }], 'content_filter');
  return [
    plain('cut', [piece(think, 'A greeting.'), piece(say, 'Hello, Héllo there 😀'), ...end('length')], cut),
    streamed(
      'cut',
      [
        piece(think, 'A '),
        piece(think, 'greeting.'),
        piece(say, 'Hello, '),
        piece(say, 'Héllo '),
        piece(say, 'there 😀'),
        ...end('length'),
      ],
      cut,
    ),
    plain(
      'calls',
      [piece(say, 'Both at once.'), called('c-1', 'Paris'), called('c-2', ''), ...end('tool_calls')],
      calls('c-1', 'c-2'),
    ),
    streamed(
      'calls',
      [
        piece(say, 'Both at '),
        piece(say, 'once.'),
        called('c-3', 'Paris', ''),
        piece(more, '{"city":'),
        piece(more, '"Paris"}'),
        called('c-4', '', '{"city"'),
        piece(more, ':""}'),
        ...end('tool_calls'),
      ],
      calls('c-3', 'c-4'),
    ),
    plain('blocked', [piece(say, 'I will'), ...end('content_filter')], blocked),
    streamed('blocked', [piece(say, 'I '), piece(say, 'will'), ...end('content_filter')], blocked),
    streamed('broken', [piece(say, 'Hel'), { [kind]: fault, [code]: wordOf('quota'), [words.words]: 'Pay first.' }], {
      model: 'm-7',
      choices: [{ parts: [{ type: 'text', text: 'Hel' }] }],
      error: { code: 'upstream_quota', failure: 'quota', message: 'Pay first.' },
    }),
    refused(400, 'caller-fault', { code: 'invalid_request', failure: 'caller-fault', message: 'No such temperature.' }),
    refused(429, 'quota', { code: 'upstream_quota', failure: 'quota', message: 'The credit is used up.' }),
    refused(429, 'rate-limit', { code: 'upstream_rate_limit', failure: 'rate-limit', message: 'Ten a minute.' }),
    refused(500, 'transient', { code: 'upstream_error', failure: 'transient', message: 'It is our fault.' }),
    refused(500, 'overloaded', { code: 'upstream_overloaded', failure: 'overloaded', message: 'Try again later.' }),
  ];
}
