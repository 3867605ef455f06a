import {
  type EventEncoder,
  type GenerateEvent,
  type JsonObject,
  omitUndefined,
  type PartEvent,
  type Usage,
  type WriteContext,
  type WriteFrame,
} from '../../../../../core/index.ts';
import { writeUsage } from '../../usage.ts';
import { createCandidateStream, type CandidateStream } from './candidate-stream.ts';
import { describeError } from './error.ts';
import { composeHead, showsThoughts } from './response.ts';

type Handlers = { readonly [T in GenerateEvent['type']]?: (event: Extract<GenerateEvent, { type: T }>) => void };

/**
 * Events as chunks of the answer, in frames without a name and without a terminal, whatever the framing. The last chunk says why each candidate
 * ended and what was used, together with a part: the SDK's chat forgets a turn that has a chunk without one.
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export function encodeStream(context: WriteContext): EventEncoder {
  const candidates = new Map<number, CandidateStream>();
  const options = { lose: context.lose, show: showsThoughts(context) };
  let writeFrame: WriteFrame = () => {};
  let told: { readonly id?: string; readonly model?: string } = {};
  let head: JsonObject | undefined;
  let usage: Usage | undefined;

  const writeChunk = (candidate: JsonObject, members: JsonObject = {}): void => {
    head ??= composeHead(told, context.newId);
    writeFrame(undefined, JSON.stringify({ candidates: [candidate], ...members, ...head }));
  };
  const candidateOf = (choice: number): CandidateStream => {
    const known = candidates.get(choice);
    if (known !== undefined) return known;
    const fresh = createCandidateStream(choice, writeChunk, options);
    candidates.set(choice, fresh);
    return fresh;
  };
  const pass = (event: PartEvent): void => candidateOf(event.choice).push(event);

  const handlers: Handlers = {
    'response-start': ({ id, model }) => {
      told = omitUndefined({ id, model });
    },
    'part-start': pass,
    'part-delta': pass,
    'part-end': pass,
    'choice-end': ({ choice, finish }) => {
      candidateOf(choice).finish = finish;
    },
    usage: (event) => {
      ({ usage } = event);
    },
    'response-end': () => {
      if (candidates.size === 0) candidateOf(0);
      const last = Math.max(...candidates.keys());
      for (const index of [...candidates.keys()].sort((a, b) => a - b)) {
        writeChunk(
          candidateOf(index).end(),
          index === last && usage !== undefined ? { usageMetadata: writeUsage(usage) } : {},
        );
      }
    },
    // A call that was kept back is not written: nothing of an answer that broke off may be carried out.
    error: ({ error }) => writeFrame(undefined, JSON.stringify(describeError(error))),
  };
  const handle = <T extends GenerateEvent['type']>(event: Extract<GenerateEvent, { type: T }>): void =>
    handlers[event.type as T]?.(event);

  return {
    push: (event, frame) => {
      writeFrame = frame;
      handle(event);
    },
  };
}
