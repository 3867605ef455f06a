import { Deadlines } from '../../../core/lanes/upstream/deadlines.ts';
import { Feed } from '../../../core/lanes/feed.ts';
import { NativeRelay } from '../../../core/lanes/native/relay.ts';
import type { Relay } from '../../../core/lanes/relay.ts';
import { Stopwatch } from '../../../core/lanes/upstream/stopwatch.ts';
import { openStreamReply } from '../../../core/lanes/stream-reply.ts';
import { TranslatedRelay } from '../../../core/lanes/translated/relay.ts';
import { pushedBody } from '../../../core/lanes/upstream/body.ts';
import { sse } from '../../../core/framing/sse.ts';
import { GatewayError, type Ending, type Reply } from '../../../core/api/index.ts';
import type { EventDecoder, EventEncoder, EventFilter, Frame, Framing, Tap, Verdict } from '../../../core/api/codec.ts';
import { createTestTarget } from '../../../core/testing/index.ts';

export const frame = (data: string): string => `data: ${data}\n\n`;

/** `start`, words, `end`, `error`; `throw` makes the codec throw. */
const decoder: EventDecoder = {
  push: ({ data }, emit) => {
    if (data === 'throw') throw new TypeError('a bug of a codec');
    if (data === 'start') {
      emit({ type: 'response-start' });
      emit({ type: 'part-start', choice: 0, part: 0, kind: 'text' });
    } else if (data === 'end') emit({ type: 'response-end' });
    else if (data === 'error') emit({ type: 'error', error: new GatewayError('upstream_overloaded') });
    else emit({ type: 'part-delta', choice: 0, part: 0, text: data });
  },
  end: (emit) => emit({ type: 'error', error: new GatewayError('upstream_truncated') }),
};
/** Writes each event as one frame. */
const encoder: EventEncoder = {
  push: (event, write) => {
    if (event.type === 'part-delta' && event.text === 'throw-later') throw new TypeError('a bug of a writer');
    write(
      undefined,
      event.type === 'part-delta' ? event.text : event.type === 'error' ? `error ${event.error.code}` : event.type,
    );
  },
};

const verdicts: Readonly<Record<string, Verdict>> = {
  start: 'hold',
  end: 'end',
  error: 'error',
  ping: 'pass',
  secret: 'withhold',
};
const createTap = (): Tap => {
  const seen = { outputChars: 0, error: undefined as GatewayError | undefined };
  return {
    inspectFrame: ({ data }: Frame) => {
      if (data === 'throw') throw new TypeError('a bug of a tap');
      const verdict = verdicts[data] ?? 'content';
      if (verdict === 'content') seen.outputChars += data.length;
      if (verdict === 'error')
        seen.error = new GatewayError('upstream_overloaded', undefined, {
          vendor: { wire: 'w', status: 200, headers: {}, body: {} },
        });
      return verdict;
    },
    inspectBody: () => {},
    end: () => new GatewayError('upstream_truncated'),
    fail: (error, write) => write(undefined, `error ${error.code}`),
    get observed() {
      const { error, outputChars } = seen;
      return error === undefined ? { outputChars } : { outputChars, error };
    },
  };
};

/** A body with these chunks; an error is thrown at its place, a number waits for so many milliseconds. */
export const createBody = (chunks: readonly (string | Error | number)[]) => {
  const state = { reads: 0, returned: 0, ended: false };
  const left = [...chunks];
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    state.reads += 1;
    let chunk = left.shift();
    while (typeof chunk === 'number') {
      const pause = chunk;
      // A pause that outlasts its test does not keep the process.
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
      chunk = left.shift();
    }
    if (chunk instanceof Error) throw chunk;
    if (chunk !== undefined) return { done: false, value: Buffer.from(chunk) };
    state.ended = true;
    return { done: true, value: undefined };
  };
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        state.returned += 1;
        return { done: true, value: undefined };
      },
    }),
  };
  return { state, body };
};

interface Opened {
  readonly bodies: readonly AsyncIterable<Uint8Array>[];
  readonly relay: Relay;
  readonly lane: LaneName;
  readonly upstream: Framing;
  readonly client: Framing;
}

/** The streamed response of upstreams with pauses. */
const open = ({ bodies, relay, lane, upstream: framing, client }: Opened): Promise<Reply> => {
  const stopwatch = new Stopwatch();
  const { signal } = new AbortController();
  const feeds = bodies.map((body, source) => {
    const deadlines = new Deadlines({ firstByte: 60_000, idle: 60_000, total: 60_000 }, signal);
    return new Feed({ body: pushedBody(body), deadlines, framing, relay, source, stopwatch });
  });
  const attempt = { target: createTestTarget('vendor/model'), signal, losses: [] };
  return openStreamReply({
    calls: [],
    feeds,
    relay,
    contentType: client.contentType,
    lane,
    attempt,
    stopwatch,
  });
};

/** The native lane between two framings. */
export const openNative = (body: AsyncIterable<Uint8Array>, upstream: Framing, client: Framing): Promise<Reply> =>
  open({ bodies: [body], relay: new NativeRelay(createTap(), upstream, client), lane: 'native', upstream, client });

export const lanes = ['native', 'translated'] as const;
export type LaneName = (typeof lanes)[number];

const createTranslated = (sources: ConstructorParameters<typeof TranslatedRelay>[0]['sources']): Relay =>
  new TranslatedRelay({ sources, encoder, writer: sse.writer! });

export const openScripted = (lane: LaneName, body: AsyncIterable<Uint8Array>, filter?: EventFilter): Promise<Reply> => {
  const relay = lane === 'native' ? new NativeRelay(createTap(), sse, sse) : createTranslated([{ decoder, filter }]);
  return open({ bodies: [body], relay, lane, upstream: sse, client: sse });
};

/** Several responses as one. */
export const openSources = (bodies: readonly AsyncIterable<Uint8Array>[]): Promise<Reply> =>
  open({
    bodies,
    relay: createTranslated(bodies.map(() => ({ decoder, filter: undefined }))),
    lane: 'translated',
    upstream: sse,
    client: sse,
  });

/** The response as a client gets it, write by write, and its ending. */
export const deliver = async (
  reply: Reply,
): Promise<{ readonly writes: readonly string[]; readonly text: string; readonly ending: Ending }> => {
  const writes: string[] = [];
  const ending = await reply.deliver({ write: (bytes) => void writes.push(Buffer.from(bytes).toString()) });
  return { writes, text: writes.join(''), ending };
};
