import type { GenerateResponse } from '../../core/api/index.ts';
import { unfoldResponse, type GenerateEvent, type PartDelta } from '../../core/api/codec.ts';
import type { Moment } from './settings.ts';
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
export const streamEvents = function* (response: GenerateResponse): Generator<GenerateEvent, void, undefined> {
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
export const takeEvents = function* (
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
