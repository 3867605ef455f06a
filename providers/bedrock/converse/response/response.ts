import type { Citation, GenerateResponse, JsonObject, Part } from '../../../../core/api/index.ts';
import {
  emptyResponse,
  isObject,
  malformedBody,
  omitUndefined,
  readObject,
  readObjects,
  readText,
  upstreamError,
  type Proof,
  type ReadContext,
} from '../../../../core/api/codec.ts';
import { readFinish } from '../finish.ts';
import { WIRE, type Block } from '../shape.ts';
import { readUsage } from '../usage.ts';

/** A call that the vendor carries out: a tool of the system, such as `nova_grounding`. */
export const isServerCall = ({ type }: Readonly<JsonObject>): boolean => type === 'server_tool_use';

export const readProof = (value: unknown, { origin }: ReadContext): { readonly proof?: Proof } =>
  typeof value === 'string' && value !== '' ? { proof: { origin, value } } : {};

export function readRedactedProof(value: unknown, context: ReadContext): { readonly proof?: Proof } {
  const { proof } = readProof(value, context);
  return proof === undefined ? {} : { proof: { ...proof, redacted: true } };
}

/** A missing id is derived from the position in the conversation, so that the next turn derives the same one. */
export const readCallId = (id: unknown, index: number, { turn }: ReadContext): string =>
  typeof id === 'string' && id !== '' ? id : `tooluse_${turn}_${index}`;

const readReasoning = (reasoning: Readonly<JsonObject>, context: ReadContext): Part => {
  const { reasoningText, redactedContent } = reasoning;
  if (typeof redactedContent === 'string')
    return { type: 'reasoning', text: '', redacted: true, ...readRedactedProof(redactedContent, context) };
  const { text, signature } = readObject(reasoningText);
  return { type: 'reasoning', text: readText(text), ...readProof(signature, context) };
};

const readCitation = (citation: JsonObject): Citation => {
  const { title, source, sourceContent, location } = citation;
  const quote = readObjects(sourceContent)
    .map(({ text }) => readText(text))
    .join('');
  const web = readText(readObject(readObject(location)['web'])['url']);
  return omitUndefined<Citation>({
    url: web || (/^https?:/.test(readText(source)) ? readText(source) : undefined),
    title: readText(title) || undefined,
    quote: quote === '' ? undefined : quote,
    vendor: { wire: WIRE, value: citation },
  });
};

/** The sources of a text: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Citation.html */
export const readCitations = (value: unknown): readonly Citation[] => readObjects(value).map(readCitation);

/** Decodes a block. Those that only this vendor has stay opaque. */
const decodeBlock = (block: Block, index: number, context: ReadContext): Part => {
  const { text, reasoningContent, toolUse, citationsContent } = block;
  if (typeof text === 'string') return { type: 'text', text };
  if (isObject(reasoningContent)) return readReasoning(reasoningContent, context);
  if (isObject(toolUse) && !isServerCall(toolUse))
    return {
      type: 'tool-call',
      id: readCallId(toolUse['toolUseId'], index, context),
      name: readText(toolUse['name']),
      kind: 'function',
      input: JSON.stringify(toolUse['input'] ?? {}),
    };
  if (isObject(citationsContent)) {
    const texts = readObjects(citationsContent['content']).map((part) => readText(part['text']));
    const citations = readCitations(citationsContent['citations']);
    return { type: 'text', text: texts.join(''), ...(citations.length === 0 ? {} : { citations }) };
  }
  return { type: 'opaque', wire: WIRE, value: block };
};

const read: ReadonlySet<string> = new Set(['output', 'stopReason', 'usage']);

/** @throws GatewayError if the body is not a response, or one with neither content nor a stop reason */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  const { message } = readObject(body['output']);
  if (!isObject(message)) {
    if (typeof body['message'] === 'string') throw upstreamError(WIRE, { status: 500, headers: {}, body });
    throw malformedBody('has no message');
  }
  const blocks = readObjects(message['content']);
  if (typeof body['stopReason'] !== 'string' && blocks.length === 0) throw emptyResponse();
  const parts = blocks.map((block, index) => decodeBlock(block, index, context));
  const members = Object.fromEntries(Object.entries(body).filter(([name, value]) => !read.has(name) && value !== null));
  const { usage, serviceTier } = body;
  return {
    choices: [{ parts, finish: readFinish(body, context.lose) }],
    ...(isObject(usage) ? { usage: readUsage(usage, readObject(serviceTier)['type']) } : {}),
    ...(Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } }),
  };
}
