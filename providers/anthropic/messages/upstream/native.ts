import {
  type BodyEdit,
  type GenerateRequest,
  type Headers,
  type InboundRequest,
  isObject,
  type JsonObject,
  lookUp,
  type NativePlan,
  type Origin,
  type TargetProfile,
  unsealProof,
} from '../../../../core/index.ts';
import { readCallProof } from '../call-proof.ts';
import { readVersion } from '../version.ts';
import { createTap } from './response/tap.ts';

/** Which member of a thinking block holds its proof. */
const proofMembers: Readonly<Record<string, string>> = { thinking: 'signature', redacted_thinking: 'data' };

/**
 * A block of the history as the vendor may see it: thinking that we sealed is unsealed for the provider and family that made it, and left out for any other,
 * as is thinking without a proof, which another vendor gave and this one refuses. What else we did not seal is the vendor's own, and stays as it is.
 */
const freeBlock = (block: unknown, maker: Origin): readonly unknown[] => {
  const member = isObject(block) && typeof block['type'] === 'string' ? lookUp(proofMembers, block['type']) : undefined;
  if (!isObject(block) || member === undefined) return [block];
  const blob = block[member] ?? '';
  if (blob === '') return [];
  const proof = typeof blob === 'string' ? unsealProof(blob) : undefined;
  if (proof?.origin === undefined) return [block];
  const isOwn = proof.origin.family === maker.family && proof.origin.provider === maker.provider;
  return isOwn && readCallProof(proof) === undefined ? [{ ...block, [member]: proof.value }] : [];
};

const freeMessage = (message: unknown, maker: Origin): readonly unknown[] => {
  if (!isObject(message) || !Array.isArray(message['content'])) return [message];
  const blocks = message['content'] as readonly unknown[];
  const content = blocks.flatMap((block) => freeBlock(block, maker));
  return content.length === 0 && blocks.length > 0 ? [] : [{ ...message, content }];
};

/** Is there thinking in the history that is not the vendor's own? */
const isForeign = ({ turns }: GenerateRequest): boolean =>
  turns.some(({ parts }) =>
    parts.some(
      (part) =>
        (part.type === 'reasoning' && part.proof === undefined) ||
        ((part.type === 'reasoning' || part.type === 'tool-call') && part.proof?.origin !== undefined),
    ),
  );

/** mission.md names formats, the vendor refuses the name. */
const editFormat = ({ output_config: config }: JsonObject): readonly BodyEdit[] => {
  if (!isObject(config) || !isObject(config['format']) || !('name' in config['format'])) return [];
  const { name: _name, ...format } = config['format'];
  return [{ member: 'output_config', value: { ...config, format } }];
};

const editMessages = ({ messages }: JsonObject, request: GenerateRequest, maker: Origin): readonly BodyEdit[] =>
  Array.isArray(messages) && isForeign(request)
    ? [{ member: 'messages', value: messages.flatMap((message) => freeMessage(message, maker)) }]
    : [];

const forwardHeaders = (headers: Headers): Headers => {
  const version = readVersion(headers);
  const beta = headers['anthropic-beta'];
  return {
    ...(version === undefined ? {} : { 'anthropic-version': version }),
    ...(beta === undefined ? {} : { 'anthropic-beta': beta }),
  };
};

/** The client's own request with what must change in it: the model, the name of a format, and thinking that another vendor made. */
export function native(
  { body, headers }: InboundRequest,
  request: GenerateRequest,
  { model, origin }: TargetProfile,
): NativePlan {
  const members = isObject(body) ? body : {};
  return {
    edits: [{ member: 'model', value: model }, ...editFormat(members), ...editMessages(members, request, origin)],
    headers: forwardHeaders(headers),
    tap: createTap,
  };
}
