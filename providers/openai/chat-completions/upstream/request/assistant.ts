import type { JsonObject, Part, ReasoningPart, ToolCallPart } from '../../../../../core/api/index.ts';
import { omitUndefined } from '../../../../../core/api/codec.ts';
import { writeDetails } from '../../reasoning-details.ts';
import { WIRE } from '../../shape.ts';
import { writeCallId, writeCallInput } from './calls.ts';
import type { PartContext } from './media.ts';
import { encodeContent } from './parts.ts';

const encodeCall = ({ id, name, kind, input, proof }: ToolCallPart, { path, wire, lose }: PartContext): JsonObject =>
  kind === 'custom'
    ? { id: writeCallId(id, wire), type: 'custom', custom: { name, input } }
    : omitUndefined({
        id: writeCallId(id, wire),
        type: 'function',
        function: { name, arguments: writeCallInput(input, `${path}.input`, wire === WIRE, lose) },
        extra_content: proof === undefined ? undefined : { google: { thought_signature: proof.value } },
      });

/** Vendors take reasoning back in the member in which they send it: `reasoning_details` for those with proofs. */
const encodeReasoning = (parts: readonly ReasoningPart[]): JsonObject => {
  if (parts.length === 0) return {};
  const text = parts.map((part) => part.text).join('');
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(parts.some(({ proof }) => proof !== undefined)
      ? { reasoning_details: writeDetails(parts, (proof) => proof.value) }
      : {}),
  };
};

/** One assistant message. The content of a message with only calls or a refusal is null. */
export function encodeAssistant(parts: readonly Part[], context: PartContext): JsonObject {
  const calls = parts.filter((part) => part.type === 'tool-call');
  if (calls.some(({ cache }) => cache !== undefined))
    context.lose(`${context.path}.tool_calls.cache`, 'dropped', 'chat-completions has no cache mark on tool calls');
  const content = encodeContent(
    parts.filter((part) => part.type === 'text' || part.type === 'opaque'),
    context,
  );
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? part.text : [])).join('');
  return {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
    ...encodeReasoning(parts.filter((part) => part.type === 'reasoning')),
    ...(refusal === '' ? {} : { refusal }),
    ...(calls.length > 0 ? { tool_calls: calls.map((call) => encodeCall(call, context)) } : {}),
  };
}
