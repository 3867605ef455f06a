import type { CarriedReasoning } from '../../carried-reasoning.ts';
import type { DecodedPart } from './parts.ts';

const isText = ({ part }: DecodedPart): boolean => part.type === 'text';
/** Carried reasoning is not before these. */
const isBoundary = ({ part }: DecodedPart): boolean => part.type === 'tool-call' || part.type === 'reasoning';

/** The index in front of the last `before` parts. */
const findPlace = (parts: readonly DecodedPart[], before: number): number => {
  let place = parts.length;
  for (let left = before; left > 0; left -= 1) {
    const last = parts[place - 1];
    if (last === undefined || isBoundary(last)) break;
    place -= 1;
    if (!isText(last)) continue;
    for (let text = parts[place - 1]; text !== undefined && isText(text); text = parts[place - 1]) place -= 1;
  }
  return place;
};

/** The thought that the client sent back, with its proof or without. */
const isSame = ({ part }: DecodedPart, { part: { text, redacted, proof } }: CarriedReasoning): boolean =>
  part.type === 'reasoning' &&
  part.redacted === redacted &&
  (part.proof === undefined ? text !== '' && part.text === text : part.proof.value === proof?.value);

/**
 * Puts the reasoning that calls carry in front of them, where it was in the response. A thought that the client sent
 * back is replaced: its text can be hidden from the client.
 */
export function restoreReasoning(decoded: readonly DecodedPart[]): readonly DecodedPart[] {
  if (!decoded.some(({ carried }) => carried !== undefined)) return decoded;
  const restored: DecodedPart[] = [];
  /** The first part after the last call. */
  let start = 0;
  for (const one of decoded) {
    for (const carried of one.carried ?? []) {
      const known = restored.slice(start).find((part) => isSame(part, carried));
      if (known === undefined)
        restored.splice(findPlace(restored, carried.before), 0, { part: carried.part, extra: {} });
      else restored.splice(restored.lastIndexOf(known), 1, { ...known, part: carried.part });
    }
    restored.push(one);
    if (one.part.type === 'tool-call') start = restored.length;
  }
  return restored;
}
