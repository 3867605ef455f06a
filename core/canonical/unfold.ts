import { omitUndefined } from './json/omit-undefined.ts';
import type { EmitEvent, PartStart } from './event.ts';
import type { Part } from './part.ts';
import type { GenerateResponse } from './response.ts';

const startOf = (part: Part): Omit<PartStart, 'type' | 'choice' | 'part'> | undefined => {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { kind: part.type };
    case 'reasoning':
      return { kind: 'reasoning', ...(part.redacted === true ? { redacted: true } : {}) };
    case 'tool-call':
      return { kind: 'tool-call', call: { id: part.id, name: part.name, kind: part.kind } };
    case 'media':
      return { kind: 'media', value: part.media };
    case 'opaque':
      return { kind: 'opaque', value: part };
    case 'tool-result':
      return undefined;
  }
};

/** The text of a part, or the arguments of a call. */
export const textOf = (part: Part): string => {
  switch (part.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return part.text;
    case 'tool-call':
      return part.input;
    default:
      return '';
  }
};

const proofOf = (part: Part) =>
  (part.type === 'reasoning' || part.type === 'tool-call' || part.type === 'text') && part.proof !== undefined
    ? { proof: part.proof }
    : {};
const logprobsOf = (part: Part) =>
  (part.type === 'text' || part.type === 'refusal') && part.logprobs !== undefined ? { logprobs: part.logprobs } : {};
const citationsOf = (part: Part) =>
  part.type === 'text' && part.citations !== undefined ? { citations: part.citations } : {};

/**
 * Emits a plain response as the events of a stream: the inverse of `foldEvents`. Lets reply filters, written for
 * streams, handle plain responses.
 */
export function unfoldResponse(response: GenerateResponse, emit: EmitEvent): void {
  const { id, model } = response;
  emit(omitUndefined({ type: 'response-start', id, model }));
  response.choices.forEach((choice, index) => {
    choice.parts.forEach((part, handle) => {
      const start = startOf(part);
      if (start === undefined) return;
      emit({ type: 'part-start', choice: index, part: handle, ...start });
      const text = textOf(part);
      const logprobs = logprobsOf(part);
      if (text !== '' || 'logprobs' in logprobs)
        emit({ type: 'part-delta', choice: index, part: handle, text, ...logprobs });
      emit({ type: 'part-end', choice: index, part: handle, ...proofOf(part), ...citationsOf(part) });
    });
    emit({ type: 'choice-end', choice: index, finish: choice.finish });
  });
  if (response.usage !== undefined) emit({ type: 'usage', usage: response.usage });
  emit({ type: 'response-end' });
}
