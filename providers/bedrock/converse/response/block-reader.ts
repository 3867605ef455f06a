import type { JsonObject } from '../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  isObject,
  parseJson,
  readObject,
  readObjects,
  readText,
  type EmitEvent,
  type PartEnd,
  type ReadContext,
} from '../../../../core/api/codec.ts';
import { WIRE } from '../shape.ts';
import { readCitations } from './citations.ts';
import { isServerCall, readCallId, readProof, readRedactedProof } from './response.ts';

/** A block of the stream that has started and not stopped. */
export interface OpenBlock {
  delta(delta: Readonly<JsonObject>, emit: EmitEvent): void;
  stop(emit: EmitEvent): void;
}
export interface BlockContext {
  /** The number of the part. */
  readonly part: number;
  /** The index of the block in the response. */
  readonly index: number;
  readonly context: ReadContext;
  /** Counts what is buffered until the block stops. */
  readonly keep: (chars: number) => void;
}

const endPart = (part: number, emit: EmitEvent, end: Omit<PartEnd, 'type' | 'choice' | 'part'> = {}): void =>
  emit({ type: 'part-end', choice: 0, part, ...end });

const emitText = (part: number, text: unknown, emit: EmitEvent): void => {
  if (typeof text === 'string' && text !== '') emit({ type: 'part-delta', choice: 0, part, text });
};

/** Citations come as deltas of their own between those of the text. */
const openText = ({ part, keep }: BlockContext, emit: EmitEvent): OpenBlock => {
  const citations: unknown[] = [];
  emit({ type: 'part-start', choice: 0, part, kind: 'text' });
  return {
    delta: ({ text, citation }, out) => {
      emitText(part, text, out);
      if (!isObject(citation)) return;
      keep(BUFFERED_ENTRY_COST + JSON.stringify(citation).length);
      citations.push(citation);
    },
    stop: (out) => endPart(part, out, readCitations(citations)),
  };
};

/** The signature comes after the text, in one delta or in several. */
const openReasoning = (
  first: Readonly<JsonObject>,
  { part, context, keep }: BlockContext,
  emit: EmitEvent,
): OpenBlock => {
  const redacted = typeof readObject(first['reasoningContent'])['redactedContent'] === 'string';
  let blob = '';
  emit({ type: 'part-start', choice: 0, part, kind: 'reasoning', ...(redacted ? { redacted } : {}) });
  return {
    delta: ({ reasoningContent }, out) => {
      const { text, signature, redactedContent } = readObject(reasoningContent);
      const piece = readText(redacted ? redactedContent : signature);
      keep(piece.length);
      blob += piece;
      if (!redacted) emitText(part, text, out);
    },
    stop: (out) => endPart(part, out, redacted ? readRedactedProof(blob, context) : readProof(blob, context)),
  };
};

/** A call without arguments has no deltas. */
const openCall = (
  toolUse: Readonly<JsonObject>,
  { part, index, context }: BlockContext,
  emit: EmitEvent,
): OpenBlock => {
  const call = {
    id: readCallId(toolUse['toolUseId'], index, context),
    name: readText(toolUse['name']),
    kind: 'function',
  } as const;
  let isEmpty = true;
  emit({ type: 'part-start', choice: 0, part, kind: 'tool-call', call });
  return {
    delta: (delta, out) => {
      const { input } = readObject(delta['toolUse']);
      const text = isObject(input) ? JSON.stringify(input) : readText(input);
      if (text !== '') isEmpty = false;
      emitText(part, text, out);
    },
    stop: (out) => {
      if (isEmpty) emitText(part, '{}', out);
      endPart(part, out);
    },
  };
};

/** Opaque parts are whole values, so the block is collected and emitted in the form of a plain response. */
const openOpaque = (start: Readonly<JsonObject>, { part, keep }: BlockContext): OpenBlock => {
  const results: unknown[] = [];
  const others: JsonObject = {};
  let input = '';
  const value = (): JsonObject => {
    const { toolUse, toolResult } = start;
    if (isObject(toolUse)) return { toolUse: { ...toolUse, input: parseJson(input) ?? {} } };
    if (isObject(toolResult)) return { toolResult: { ...toolResult, content: results } };
    return { ...start, ...others };
  };
  return {
    delta: (delta) => {
      keep(BUFFERED_ENTRY_COST + JSON.stringify(delta).length);
      const { toolUse, toolResult, ...unknown } = delta;
      input += readText(readObject(toolUse)['input']);
      results.push(...readObjects(toolResult));
      Object.assign(others, unknown);
    },
    stop: (emit) => {
      emit({
        type: 'part-start',
        choice: 0,
        part,
        kind: 'opaque',
        value: { type: 'opaque', wire: WIRE, value: value() },
      });
      endPart(part, emit);
    },
  };
};

/** Starts the part that a `contentBlockStart` announces. */
export function openStarted(start: Readonly<JsonObject>, context: BlockContext, emit: EmitEvent): OpenBlock {
  const { toolUse } = start;
  return isObject(toolUse) && !isServerCall(toolUse) ? openCall(toolUse, context, emit) : openOpaque(start, context);
}

/** Starts the part of a delta without a start: only calls and results have one. */
export function openByDelta(delta: Readonly<JsonObject>, context: BlockContext, emit: EmitEvent): OpenBlock {
  if ('reasoningContent' in delta) return openReasoning(delta, context, emit);
  if ('text' in delta || 'citation' in delta) return openText(context, emit);
  return isObject(delta['toolUse']) ? openCall({}, context, emit) : openOpaque({}, context);
}
