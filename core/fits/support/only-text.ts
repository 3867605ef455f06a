import type { Turn } from '../../canonical/request.ts';

/** Whether a conversation is text without proofs, as most are: rules about media and proofs change nothing in it. */
export function hasOnlyText(turns: readonly Turn[]): boolean {
  for (const { parts } of turns)
    for (const part of parts) if (part.type !== 'text' || part.proof !== undefined) return false;
  return true;
}
