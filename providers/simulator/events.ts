import type { GenerateResponse } from '../../core/api/index.ts';
import { unfoldResponse, type GenerateEvent } from '../../core/api/codec.ts';
import type { Moment } from './settings.ts';

/** A word with the space before it; long words and JSON are cut into pieces of twelve characters. */
const PIECE = /\s*\S{1,12}|\s+/gu;

/**
 * The events of a streamed response, word by word. The input usage is sent at the start, as some vendors do, so that a
 * stream that is cut has reported it.
 */
export const streamEvents = function* (response: GenerateResponse): Generator<GenerateEvent, void, undefined> {
  const whole: GenerateEvent[] = [];
  unfoldResponse(response, (event) => whole.push(event));
  for (const event of whole) {
    if (event.type === 'part-delta') for (const [text] of event.text.matchAll(PIECE)) yield { ...event, text };
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
