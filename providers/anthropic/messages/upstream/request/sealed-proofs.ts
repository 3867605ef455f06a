import type { GenerateRequest } from '../../../../../core/api/index.ts';
import { isObject, lookUp, type Origin, unsealProof } from '../../../../../core/api/codec.ts';
import { readCallProof } from '../../call-proof.ts';
import { isForeignSearch } from '../../web-search.ts';

/** The member of a thinking block that holds its proof. */
const proofMembers: Readonly<Record<string, string>> = { thinking: 'signature', redacted_thinking: 'data' };

/**
 * A thinking block that the gateway sealed is unsealed for the provider and family that made it, and removed for any
 * other. Thinking without a proof is removed too, and so is a search: another vendor made it, and this one refuses it.
 * All other blocks are the vendor's own and stay unchanged.
 */
const unsealBlock = (block: unknown, target: Origin): readonly unknown[] => {
  if (isForeignSearch(block)) return [];
  const member = isObject(block) && typeof block['type'] === 'string' ? lookUp(proofMembers, block['type']) : undefined;
  if (!isObject(block) || member === undefined) return [block];
  const blob = block[member] ?? '';
  if (blob === '') return [];
  const proof = typeof blob === 'string' ? unsealProof(blob) : undefined;
  if (proof?.origin === undefined) return [block];
  const isOwn = proof.origin.family === target.family && proof.origin.provider === target.provider;
  return isOwn && readCallProof(proof) === undefined ? [{ ...block, [member]: proof.value }] : [];
};

const unsealMessage = (message: unknown, target: Origin): readonly unknown[] => {
  if (!isObject(message) || !Array.isArray(message['content'])) return [message];
  const blocks = message['content'] as readonly unknown[];
  const content = blocks.flatMap((block) => unsealBlock(block, target));
  return content.length === 0 && blocks.length > 0 ? [] : [{ ...message, content }];
};

/** The messages with the proofs that `target` can read; messages of which nothing is left are removed. */
export const unsealMessages = (messages: readonly unknown[], target: Origin): readonly unknown[] =>
  messages.flatMap((message) => unsealMessage(message, target));

/** Whether the history has thinking or searches that the vendor did not make, or proofs that the gateway sealed. */
export const hasForeignThinking = ({ turns }: GenerateRequest): boolean =>
  turns.some(({ parts }) =>
    parts.some(
      (part) =>
        (part.type === 'reasoning' && part.proof === undefined) ||
        (part.type === 'opaque' && isForeignSearch(part.value)) ||
        ((part.type === 'reasoning' || part.type === 'tool-call') && part.proof?.origin !== undefined),
    ),
  );
