import { performance } from 'node:perf_hooks';
import type { GenerateResponse } from '../../core/api/index.ts';
import { unfoldResponse, type EventEncoder, type GenerateEvent, type PartDelta } from '../../core/api/codec.ts';
import { createFailure, createReset } from './answer/failure.ts';
import type { Pacer } from './pacer.ts';
import type { Moment, Settings } from './settings.ts';
import { splitPieces } from './tokens.ts';

/** Each piece is a token. */
const splitDelta = function* ({ logprobs, ...event }: PartDelta): Generator<PartDelta, void, undefined> {
  let index = 0;
  for (const text of splitPieces(event.text)) {
    const token = logprobs?.[index++];
    yield token === undefined ? { ...event, text } : { ...event, text, logprobs: [token] };
  }
};

/**
 * The events of a streamed response, word by word. The input usage is sent at the start, as some vendors do, so that a
 * stream that is cut has reported it.
 */
const streamEvents = function* (response: GenerateResponse): Generator<GenerateEvent, void, undefined> {
  const whole: GenerateEvent[] = [];
  unfoldResponse(response, (event) => whole.push(event));
  for (const event of whole) {
    if (event.type === 'part-delta') yield* splitDelta(event);
    else yield event;
    if (event.type === 'response-start' && response.usage !== undefined)
      yield { type: 'usage', usage: { ...response.usage, output: 0, reasoning: 0 } };
  }
};

/** The events before a fault. A response with fewer deltas ends before it can finish. */
const takeEvents = function* (
  events: Iterable<GenerateEvent>,
  at: Moment,
  choices: number,
): Generator<GenerateEvent, void, undefined> {
  if (at === 'before') return;
  let deltas = 0;
  for (const event of events) {
    if (event.type === 'part-delta') {
      if (deltas === at) return;
      deltas += 1;
    }
    if (event.type === 'choice-end' && event.choice === choices - 1) return;
    yield event;
  }
};

/** One server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html */
function formatFrame(event: string | undefined, data: string): string {
  const lines = data.includes('\n') ? data.replaceAll('\n', '\ndata: ') : data;
  return event === undefined ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`;
}

type Bytes = AsyncGenerator<Uint8Array, void, undefined>;

/** Without a pace, frames are combined up to this many characters. */
const CHUNK = 16_384;

/**
 * The bytes of a streamed response, produced as they are read: with a pace one chunk per delta, else as many frames as
 * fit in a chunk. Deltas are due at fixed times from the start, so that a late timer does not delay the next ones.
 */
export const streamBytes = async function* (
  response: GenerateResponse,
  encoder: EventEncoder,
  settings: Settings,
  pacer: Pacer,
): Bytes {
  const { pace, fault } = settings;
  let text = '';
  const write = (event: string | undefined, data: string): void => {
    text += formatFrame(event, data);
  };
  const take = (): Uint8Array => {
    pacer.check();
    const bytes = Buffer.from(text);
    text = '';
    return bytes;
  };
  const all = streamEvents(response);
  const events = fault === undefined ? all : takeEvents(all, fault.at, response.choices.length);
  const start = performance.now();
  let deltas = 0;
  try {
    for (const event of events) {
      if (pace > 0 && event.type === 'part-delta') {
        if (deltas > 0) {
          if (text !== '') yield take();
          const early = start + deltas * pace - performance.now();
          if (early > 0) await pacer.wait(early);
        }
        deltas += 1;
      }
      encoder.push(event, write);
      if (text.length >= CHUNK) yield take();
    }
    if (fault?.kind === 'error') encoder.push({ type: 'error', error: createFailure(settings) }, write);
    if (text !== '') yield take();
    if (fault?.kind === 'reset') throw createReset();
    if (fault?.kind === 'hang') await pacer.waitForAbort();
  } finally {
    pacer.close();
  }
};

/** The bytes of a plain response. A fault occurs in the middle of them. */
export const plainBytes = async function* (body: Uint8Array, { fault }: Settings, pacer: Pacer): Bytes {
  try {
    pacer.check();
    if (fault === undefined) yield body;
    else if (fault.at !== 'before') yield body.subarray(0, Math.floor(body.length / 2));
    if (fault?.kind === 'reset') throw createReset();
    if (fault?.kind === 'hang') await pacer.waitForAbort();
  } finally {
    pacer.close();
  }
};
