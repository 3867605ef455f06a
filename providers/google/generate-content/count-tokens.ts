import { type GenerateRequest, promptOf, type TokenCount } from '../../../core/api/index.ts';
import {
  type DecodedRequest,
  createCountTap,
  defineCodec,
  type InboundRequest,
  isObject,
  type Lose,
  type NativePlan,
  omitUndefined,
  readCount,
  readObject,
  requireCount,
  type Tap,
  type TargetProfile,
} from '../../../core/api/codec.ts';
import { applyEdits } from '../edits.ts';
import { resourceName } from '../models.ts';
import { encodeErrorBody, encodeError } from './client/response/error.ts';
import { references } from './client/request/references.ts';
import { decodeRequest } from './client/request/request.ts';
import { findInnerRequest, WIRE } from './shape.ts';
import { limits, traits } from './traits.ts';
import { decodeEmbeddedError, decodeError, hasError } from './upstream/response/error.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request/request.ts';
import { textMembers } from '../text-members.ts';

/** Merges the nested request into the body. */
const flattenRequest = (body: unknown, member: string): unknown => {
  if (!isObject(body)) return body;
  const { [member]: inner, ...beside } = body;
  return isObject(inner) ? { ...beside, ...inner } : inner;
};

/** Decodes `{contents}` or a nested request. The model of the path wins. */
const decodeCountRequest = (inbound: InboundRequest): DecodedRequest<'count-tokens'> => {
  const member = findInnerRequest(inbound.body);
  const { model, request } = decodeRequest(
    { ...inbound, stream: false, body: member === undefined ? inbound.body : flattenRequest(inbound.body, member) },
    member,
  );
  return { model, request };
};

/** Sends a nested request, so that the system instruction and tools are counted as well. */
const encodeCount = (request: GenerateRequest, profile: TargetProfile, lose: Lose) => {
  const { body, headers } = encodeRequest(promptOf(request), profile, lose);
  return { body: { generateContentRequest: { model: resourceName(profile.model), ...body } }, headers };
};

const decodeCount = (body: unknown): TokenCount => {
  const members = readObject(body);
  if (hasError(members)) throw decodeEmbeddedError(members);
  const { totalTokens: count, cachedContentTokenCount: cached } = members;
  return {
    inputTokens: requireCount(count),
    ...(typeof cached === 'number' ? { cachedTokens: readCount(cached) } : {}),
    estimated: false,
  };
};

const createTap = (): Tap =>
  createCountTap(decodeCount, (error, write) => write(undefined, JSON.stringify(encodeErrorBody(error))));

/** The edits of generation, inside the nested request if there is one. */
const planNative = (inbound: InboundRequest, request: GenerateRequest, profile: TargetProfile): NativePlan => {
  const member = findInnerRequest(inbound.body);
  const outer = native(inbound, request, profile);
  const inner = member !== undefined && isObject(inbound.body) ? inbound.body[member] : undefined;
  if (member === undefined || !isObject(inner)) return { edits: outer.edits, headers: outer.headers, tap: createTap };
  const { edits } = native({ ...inbound, body: inner }, request, profile);
  return {
    edits: [...outer.edits, ...(edits.length === 0 ? [] : [{ member, value: applyEdits(inner, edits) }])],
    headers: outer.headers,
    tap: createTap,
  };
};

/** Counts the tokens of a prompt: https://ai.google.dev/api/tokens#method:-models.counttokens */
export const generateContentCountCodec = defineCodec<'count-tokens'>({
  operation: 'count-tokens',
  wire: WIRE,
  traits,
  client: {
    decodeRequest: decodeCountRequest,
    encodeResponse: ({ inputTokens, cachedTokens }) =>
      omitUndefined({ totalTokens: inputTokens, cachedContentTokenCount: cachedTokens }),
    encodeError,
    references,
    textMembers,
  },
  upstream: { limits, encodeRequest: encodeCount, decodeResponse: decodeCount, decodeError, native: planNative },
});
