import type { JsonObject } from '../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  isObject,
  parseJson,
  readObject,
  readObjects,
  readText,
  type ChoiceWriter,
  type PartWriter,
  type ReadContext,
} from '../../../../core/api/codec.ts';
import { WIRE } from '../shape.ts';
import { isServerCall, readCallId, readCitations, readProof, readRedactedProof } from './response.ts';

/** A block of the stream that has started and not stopped. */
export interface OpenBlock {
  delta(delta: Readonly<JsonObject>): void;
  stop(): void;
}
export interface BlockContext {
  readonly answer: ChoiceWriter;
  /** The index of the block in the response. */
  readonly index: number;
  readonly context: ReadContext;
  /** Counts what is buffered until the block stops. */
  readonly keep: (chars: number) => void;
}

/** Citations come as deltas of their own between those of the text. */
const openText = ({ answer }: BlockContext): OpenBlock => {
  const part = answer.open('text');
  return {
    delta: ({ text, citation }) => {
      part.write(readText(text));
      if (isObject(citation)) part.cite(readCitations([citation]));
    },
    stop: () => part.end(),
  };
};

/** The signature comes after the text, in one delta or in several. */
const openReasoning = ({ answer, context, keep }: BlockContext): OpenBlock => {
  const part = answer.open('reasoning');
  let signature = '';
  return {
    delta: ({ reasoningContent }) => {
      const { text, signature: piece } = readObject(reasoningContent);
      keep(readText(piece).length);
      signature += readText(piece);
      part.write(readText(text));
    },
    stop: () => {
      part.proof = readProof(signature, context).proof;
      part.end();
    },
  };
};

const openRedacted = ({ answer, context, keep }: BlockContext): OpenBlock => {
  let blob = '';
  return {
    delta: ({ reasoningContent }) => {
      const piece = readText(readObject(reasoningContent)['redactedContent']);
      keep(piece.length);
      blob += piece;
    },
    stop: () => answer.redacted(readRedactedProof(blob, context).proof),
  };
};

const openCall = (toolUse: Readonly<JsonObject>, { answer, index, context }: BlockContext): OpenBlock => {
  const id = readCallId(toolUse['toolUseId'], index, context);
  const part: PartWriter = answer.call({ id, name: readText(toolUse['name']), kind: 'function' });
  return {
    delta: (delta) => {
      const { input } = readObject(delta['toolUse']);
      part.write(isObject(input) ? JSON.stringify(input) : readText(input));
    },
    stop: () => part.end(),
  };
};

/** Opaque parts are whole values, so the block is collected and written in the form of a plain response. */
const openOpaque = (start: Readonly<JsonObject>, { answer, keep }: BlockContext): OpenBlock => {
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
    stop: () => answer.opaque({ type: 'opaque', wire: WIRE, value: value() }),
  };
};

/** Starts the part that a `contentBlockStart` announces. */
export function openStarted(start: Readonly<JsonObject>, context: BlockContext): OpenBlock {
  const { toolUse } = start;
  return isObject(toolUse) && !isServerCall(toolUse) ? openCall(toolUse, context) : openOpaque(start, context);
}

/** Starts the part of a delta without a start: only calls and results have one. */
export function openByDelta(delta: Readonly<JsonObject>, context: BlockContext): OpenBlock {
  if ('reasoningContent' in delta) {
    const isRedacted = typeof readObject(delta['reasoningContent'])['redactedContent'] === 'string';
    return isRedacted ? openRedacted(context) : openReasoning(context);
  }
  if ('text' in delta || 'citation' in delta) return openText(context);
  return isObject(delta['toolUse']) ? openCall({}, context) : openOpaque({}, context);
}
