import { GatewayError, type GenerateResponse } from '../api/index.ts';
import {
  unfoldResponse,
  type Codec,
  type EventFilter,
  type Frame,
  type GenerateEvent,
  type WriteContext,
} from '../api/codec.ts';
import { sse } from '../framing/sse.ts';
import { createReadContext } from './contexts.ts';

const FRAME_BYTES = 16_777_216;

/** Decodes the frames of a stream that arrives in these chunks. */
export function decodeFrames(chunks: readonly Uint8Array[], framing = sse): Frame[] {
  const frames: Frame[] = [];
  const decoder = framing.decoder({ frameBytes: FRAME_BYTES });
  const keep = (frame: Frame): void => void frames.push(frame);
  for (const chunk of chunks) decoder.push(chunk, keep);
  decoder.end(keep);
  return frames;
}

/** @throws Error if the codec has no upstream stream */
export function decodeEvents(codec: Codec<'generate'>, frames: readonly Frame[]): GenerateEvent[] {
  const decoder = codec.upstream?.decodeStream?.(createReadContext());
  if (decoder === undefined) throw new Error(`${codec.wire} does not read streams`);
  const events: GenerateEvent[] = [];
  const keep = (event: GenerateEvent): void => void events.push(event);
  for (const frame of frames) decoder.push(frame, keep);
  decoder.end(keep);
  return events;
}

/** @throws Error if the codec has no client stream */
export function encodeEvents(
  codec: Codec<'generate'>,
  events: readonly GenerateEvent[],
  context: WriteContext,
): Frame[] {
  const encoder = codec.client?.encodeStream?.(context);
  if (encoder === undefined) throw new Error(`${codec.wire} does not write streams`);
  const frames: Frame[] = [];
  for (const event of events) encoder.push(event, (name, data) => void frames.push({ event: name, data }));
  return frames;
}

export function filterEvents(filter: EventFilter, events: readonly GenerateEvent[]): GenerateEvent[] {
  const passed: GenerateEvent[] = [];
  for (const event of events) filter.push(event, (out) => void passed.push(out));
  return passed;
}

/** A plain response as the events of a stream. */
export function listEvents(response: GenerateResponse): GenerateEvent[] {
  const events: GenerateEvent[] = [];
  unfoldResponse(response, (event) => void events.push(event));
  return events;
}

/** Events in comparable form: an error becomes its code, since stack and cause vary. */
export const comparableEvents = (events: readonly GenerateEvent[]): unknown[] =>
  events.map((event) =>
    event.type === 'error'
      ? { type: 'error', code: GatewayError.is(event.error) ? event.error.code : String(event.error) }
      : event,
  );
