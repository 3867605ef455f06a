import type { Compaction, GenerateRequest, JsonObject } from '../../../core/api/index.ts';
import {
  defineCodec,
  isObject,
  malformedBody,
  omitUndefined,
  type Lose,
  type TargetProfile,
  type WriteContext,
} from '../../../core/api/codec.ts';
import { markEstimated } from '../chat-completions/usage.ts';
import { encodeError } from './client/response/error.ts';
import { encodeLimits } from '../chat-completions/client/response/limits.ts';
import { references } from './client/request/references.ts';
import { decodeRequest } from './client/request/request.ts';
import { spelling } from './client/request/member-names.ts';
import { WIRE } from './shape.ts';
import { limits, traits } from './traits.ts';
import { decodeEmbeddedError, decodeError, holdsError } from './upstream/response/error.ts';
import { native } from './upstream/native.ts';
import { encodeRequest } from './upstream/request/request.ts';
import { writeCompactionItem } from './compaction-item.ts';
import { readUsage, usageMembers, writeUsage } from './usage.ts';
import { textMembers } from './client/request/text-members.ts';

/** Without the members that the gateway adds to a request for a response. */
const encodeCompaction = (request: GenerateRequest, profile: TargetProfile, lose: Lose) => {
  const { body, headers } = encodeRequest(request, profile, lose);
  const { store: _store, include: _include, ...accepted } = body;
  return { body: accepted, headers };
};

const decodeCompaction = (body: unknown): Compaction => {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (holdsError(body)) throw decodeEmbeddedError(body);
  if (!Array.isArray(body['output'])) throw malformedBody('has no output');
  return omitUndefined({ body, usage: readUsage(body) });
};

/** The texts of the user, which a compaction keeps. */
const writeUserMessages = ({ request, newId }: WriteContext<'compact'>): readonly JsonObject[] =>
  request.turns.flatMap(({ role, parts }) => {
    const texts = role === 'user' ? parts.filter((part) => part.type === 'text' && part.text !== '') : [];
    const content = texts.map((part) => ({ type: 'input_text', text: 'text' in part ? part.text : '' }));
    return content.length === 0 ? [] : [{ type: 'message', id: newId('msg_'), role, status: 'completed', content }];
  });

/** Messages of the user, then one item: https://platform.openai.com/docs/api-reference/responses/compacted-object */
const encodeCompacted = (compaction: Compaction, context: WriteContext<'compact'>): JsonObject => {
  if ('body' in compaction) return compaction.body;
  const { summary, id = '', usage } = compaction;
  const { created, newId } = context;
  return {
    id: id.startsWith('resp_') ? id : newId('resp_'),
    object: 'response.compaction',
    created_at: created,
    output: [...writeUserMessages(context), writeCompactionItem(newId('cmp_'), summary)],
    usage: usage === undefined ? null : writeUsage(usage),
    ...markEstimated(usage),
  };
};

/**
 * Compacts a conversation: https://platform.openai.com/docs/guides/compaction. The vendor's own result is encrypted, so
 * no other wire has it. For other targets the gateway writes the item, with a summary.
 */
export const responsesCompactCodec = defineCodec<'compact'>({
  operation: 'compact',
  wire: WIRE,
  traits,
  client: {
    decodeRequest: (inbound) => {
      const { model, request, ...others } = decodeRequest(inbound);
      return { ...others, model, request: { ...request, stream: false } };
    },
    encodeResponse: encodeCompacted,
    encodeError,
    encodeLimits,
    references,
    spelling,
    textMembers,
  },
  upstream: {
    limits,
    usageMembers,
    encodeRequest: encodeCompaction,
    decodeResponse: decodeCompaction,
    decodeError,
    native: (inbound, request, profile) => {
      const { addToResponse: _outputText, ...plan } = native(inbound, request, profile);
      return plan;
    },
  },
});
