import { performance } from 'node:perf_hooks';
import type { GenerateResponse } from '../../core/api/index.ts';
import type { EventEncoder } from '../../core/api/codec.ts';
import { streamEvents, takeEvents } from './events.ts';
import { createFailure, createReset } from './answer/failure.ts';
import type { Pacer } from './pacer.ts';
import type { Settings } from './settings.ts';

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
