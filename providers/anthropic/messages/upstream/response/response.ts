import type { GenerateResponse, JsonObject, Part } from '../../../../../core/api/index.ts';
import {
  emptyResponse,
  isObject,
  lookUp,
  type Proof,
  type ReadContext,
  malformedBody,
} from '../../../../../core/api/codec.ts';
import { joinCallName } from '../../call-name.ts';
import { citationsOf } from '../../citations.ts';
import { readFinish } from '../../finish-reason.ts';
import { WIRE } from '../../shape.ts';
import { readUsage } from '../../usage.ts';
import { readOpaqueBlock } from '../../web-search.ts';
import { decodeErrorBody } from './error.ts';
import { hasVisibleContent } from './visible-content.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const readProof = (blob: unknown, { origin }: ReadContext): { readonly proof?: Proof } =>
  typeof blob === 'string' && blob !== '' ? { proof: { origin, value: blob } } : {};

export function readRedactedProof(blob: unknown, context: ReadContext): { readonly proof?: Proof } {
  const { proof } = readProof(blob, context);
  return proof === undefined ? {} : { proof: { ...proof, redacted: true } };
}

/** A missing id is derived from the position in the conversation, so that the next turn derives the same one. */
export const readCallId = (id: unknown, index: number, { turn }: ReadContext): string =>
  typeof id === 'string' && id !== '' ? id : `toolu_${turn}_${index}`;

/** Arguments as JSON text. Some vendors of this wire send that text instead of an object. */
const readInput = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input ?? {}));

const decoders: Readonly<Record<string, (block: JsonObject, index: number, context: ReadContext) => Part>> = {
  text: ({ text, citations }) => ({ type: 'text', text: asText(text), ...citationsOf(citations) }),
  thinking: ({ thinking, signature }, _index, context) => ({
    type: 'reasoning',
    text: asText(thinking),
    ...readProof(signature, context),
  }),
  redacted_thinking: ({ data }, _index, context) => ({
    type: 'reasoning',
    text: '',
    redacted: true,
    ...readRedactedProof(data, context),
  }),
  tool_use: ({ id, name, toolset_name: toolset, input }, index, context) => ({
    type: 'tool-call',
    id: readCallId(id, index, context),
    name: joinCallName(asText(name), toolset),
    kind: 'function',
    input: readInput(input),
  }),
};

/**
 * Decodes a block. Types that only this vendor has (server tools and their results, compaction, fallback) stay opaque.
 */
export function decodePart(block: JsonObject, index: number, context: ReadContext): Part {
  const type = asText(block['type']);
  const decode = lookUp(decoders, type);
  return decode === undefined ? readOpaqueBlock(block) : decode(block, index, context);
}

/** The members of a message that are read. */
export const messageMembers: ReadonlySet<string> = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
]);

/** @throws GatewayError if the body is an error, not a message, or a message with neither content nor a stop reason */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  if (!isObject(body) || body['type'] === 'error' || (isObject(body['error']) && body['content'] === undefined)) {
    if (isObject(body)) throw decodeErrorBody(body);
    throw malformedBody('is not a message');
  }
  const { id, model, content, usage } = body;
  if (!Array.isArray(content)) throw malformedBody('has no content');
  const blocks = content.filter(isObject);
  if (typeof body['stop_reason'] !== 'string' && !blocks.some(hasVisibleContent)) throw emptyResponse();
  const parts = blocks.map((block, index) => decodePart(block, index, context));
  const members = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !messageMembers.has(name) && value !== null),
  );
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    choices: [{ parts, finish: readFinish(body, context.lose) }],
    ...(isObject(usage) ? { usage: readUsage(usage) } : {}),
    ...(Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } }),
  };
}
