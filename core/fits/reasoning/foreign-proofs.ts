import type { Part } from '../../canonical/part.ts';
import type { Proof } from '../../canonical/proof.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { defineFit } from '../../contracts/fit.ts';
import { placePart } from '../support/place-turn.ts';
import { rewriteParts } from '../support/rewrite-parts.ts';

/**
 * Whether the target accepts this proof: it must have the same provider entry, because two accounts of one vendor do
 * not accept each other's blobs, and the same model family. A proof without an origin came over the native lane and
 * belongs to the vendor of the client's wire.
 */
const isOwn = ({ origin }: Proof, { wire }: GenerateRequest, profile: TargetProfile): boolean =>
  origin === undefined
    ? wire === profile.wire
    : origin.provider === profile.origin.provider && origin.family === profile.origin.family;

/**
 * Adapts a part to the target. Reasoning is removed with its proof: its text must never become something that the model
 * said.
 */
const keepPart = (part: Part, request: GenerateRequest, profile: TargetProfile): Part | undefined => {
  if (part.type === 'tool-call' || part.type === 'text')
    return part.proof === undefined || isOwn(part.proof, request, profile) ? part : { ...part, proof: undefined };
  if (part.type !== 'reasoning') return part;
  if (part.proof === undefined)
    return part.redacted === true || profile.traits.strictThinking === true ? undefined : part;
  return isOwn(part.proof, request, profile) ? part : undefined;
};

/**
 * Removes reasoning that the target would refuse: with proofs of another issuer, redacted without a proof, and, on
 * wires that require proofs, any without one.
 */
export const foreignProofsFit = defineFit({
  name: 'foreign-proofs',
  fit(request, profile, context) {
    const turns = rewriteParts(request.turns, (part) => {
      const kept = keepPart(part, request, profile);
      if (kept === undefined)
        context.lose(
          placePart(part, context, 'reasoning'),
          'dropped',
          'earlier reasoning was left out: only the provider that made it accepts it',
        );
      else if (kept !== part)
        context.lose(
          placePart(part, context, 'signature'),
          'dropped',
          'the signature of an earlier call or text was left out: only its provider accepts it',
        );
      return kept;
    });
    return turns === request.turns ? undefined : { request: { ...request, turns } };
  },
});
