import type { GenerateEvent } from '../canonical/event.ts';
import { unfoldResponse } from '../canonical/unfold.ts';
import type { ExchangeOf } from '../contracts/exchange.ts';
import type { Framing } from '../contracts/framing.ts';
import type { Services } from '../contracts/services.ts';
import { jsonArray } from '../framing/json-array.ts';
import { ndjson } from '../framing/ndjson.ts';
import { sse } from '../framing/sse.ts';

const framings: readonly Framing[] = [sse, jsonArray, ndjson];

/** The framing of streams to clients. */
export const findClientFraming = (name: string): Framing | undefined => framings.find((each) => each.name === name);

/** A response to a generation request as it was sent to its client, or the beginning of it. */
export interface SentResponse {
  readonly body: string;
  /** Name of the framing of a stream; absent: the response is plain. */
  readonly framing?: string;
  /** Id of the target that it came from. */
  readonly target: string;
}

/**
 * Reads a response as it was sent to the client, with the codec of its wire.
 * @returns its events; undefined if the wire cannot be read, or its target is none of the exchange
 * @throws GatewayError if the body is not a response
 */
export function decodeSent(
  find: Services['codec'],
  { route, request, targets }: ExchangeOf<'generate'>,
  { body, framing, target: id }: SentResponse,
): readonly GenerateEvent[] | undefined {
  const upstream = find('generate', route.wire)?.upstream;
  const target = targets.find((each) => each.id === id);
  if (upstream === undefined || target === undefined) return undefined;
  const context = { origin: target.endpoint.origin, turn: request.turns.length, lose: () => {} };
  const events: GenerateEvent[] = [];
  const push = (event: GenerateEvent): void => void events.push(event);
  if (framing === undefined) {
    unfoldResponse(upstream.decodeResponse(JSON.parse(body), context), push);
    return events;
  }
  const decoder = upstream.decodeStream?.(context);
  const bytes = Buffer.from(body);
  const frames = findClientFraming(framing)?.decoder({ frameBytes: bytes.length });
  if (decoder === undefined || frames === undefined) return undefined;
  frames.push(bytes, (frame) => {
    if (frame.data !== '' || frame.event !== undefined) decoder.push(frame, push);
  });
  frames.end((frame) => decoder.push(frame, push));
  decoder.end(push);
  return events;
}
