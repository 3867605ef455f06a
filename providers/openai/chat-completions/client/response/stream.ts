import type { EventEncoder, GenerateEvent, JsonObject, WriteContext, WriteFrame } from '../../../../../core/index.ts';
import { writeFinish } from '../../finish-reason.ts';
import { isLegacy } from '../../legacy-functions.ts';
import { DONE } from '../../shape.ts';
import { writeUsage } from '../../usage.ts';
import { createChunkWriter, type ChunkWriter } from './chunks.ts';
import { describeError } from './error.ts';
import { createDeltaWriter, type DeltaWriter } from './deltas.ts';

type EventOf<T extends GenerateEvent['type']> = Extract<GenerateEvent, { type: T }>;
type Handlers = { readonly [T in GenerateEvent['type']]: (event: EventOf<T>, write: WriteFrame) => void };

/** One choice as the client sees it: its role comes first, its finish last and once. */
const createChoices = (chunks: ChunkWriter, context: WriteContext) => {
  const choices = new Map<number, DeltaWriter>();
  return (choice: number, write: WriteFrame): DeltaWriter => {
    const known = choices.get(choice);
    if (known !== undefined) return known;
    const fresh = createDeltaWriter(
      choice,
      (delta: JsonObject, to: WriteFrame) => chunks.delta(choice, delta, to),
      context,
    );
    choices.set(choice, fresh);
    chunks.delta(choice, { role: 'assistant', content: '' }, write);
    return fresh;
  };
};

/**
 * https://platform.openai.com/docs/api-reference/chat/streaming: role, deltas, a finish for each choice, the usage for those who asked, `[DONE]`.
 * A failure is a frame with `error` and no `[DONE]`, so that no client takes it for a whole answer.
 */
export function encodeStream(context: WriteContext): EventEncoder {
  const chunks = createChunkWriter(context);
  const choiceOf = createChoices(chunks, context);
  let usage: EventOf<'usage'>['usage'] | undefined;
  const handlers: Handlers = {
    'response-start': (event, write) => {
      chunks.begin(event);
      choiceOf(0, write);
    },
    'part-start': (event, write) => choiceOf(event.choice, write).start(event, write),
    'part-delta': (event, write) => choiceOf(event.choice, write).delta(event, write),
    'part-end': (event, write) => choiceOf(event.choice, write).end(event, write),
    'choice-end': (event, write) => {
      choiceOf(event.choice, write).explain(event.finish, write);
      chunks.finish(event.choice, writeFinish(event.finish, isLegacy(context.request)), write);
    },
    usage: (event) => {
      usage = event.usage;
    },
    'response-end': (_event, write) => {
      if (context.request.includeUsage && usage !== undefined) chunks.usage(writeUsage(usage), usage.tier, write);
      write(undefined, DONE);
    },
    error: (event, write) => write(undefined, JSON.stringify(describeError(event.error))),
  };
  const handle = <T extends GenerateEvent['type']>(type: T, event: EventOf<T>, write: WriteFrame) =>
    handlers[type](event, write);
  return { push: (event, write) => handle(event.type, event, write) };
}
