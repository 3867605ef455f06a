import type { JsonObject, Part, ReasoningPart, Turn } from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import { readItemProof, type ProofTarget } from '../../item-proof.ts';

/** A turn that the next item may still belong to. */
interface OpenTurn {
  readonly role: 'assistant' | 'user';
  readonly parts: Part[];
  members: JsonObject;
  /** Where the parts of the last message begin; -1 while the turn holds none. */
  message: number;
}

/** Items one after the other, as turns. */
export interface Conversation {
  /** A message of the user or the system: a turn of its own. */
  addTurn(turn: Pick<Turn, 'role' | 'parts'>, members: JsonObject): void;
  /** A message of the assistant. One turn says everything under the same members; with another `phase` a new turn begins. */
  addMessage(parts: readonly Part[], members: JsonObject): void;
  /** What else the assistant did: reasoning, calls, and calls that ran at the vendor. */
  addStep(part: Part): void;
  /** The result of a call. */
  addResult(part: Part): void;
  /** An item that belongs to neither side by itself. */
  addAside(part: Part): void;
  turns(): readonly Turn[];
}

const closeTurn = ({
  role,
  parts,
  members,
}: Pick<Turn, 'role' | 'parts'> & { readonly members: JsonObject }): Turn => ({
  role,
  parts,
  ...(Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } }),
});

const isSame = (one: JsonObject, other: JsonObject): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The part that a proof, which came as an item of its own, stands on. */
const findSigned = (signed: ProofTarget, { parts, message }: OpenTurn): number => {
  if ('callId' in signed) return parts.findLastIndex((part) => part.type === 'tool-call' && part.id === signed.callId);
  return message < 0 ? -1 : message + signed.content;
};

/** Puts the proof of a call or a text back where it belongs. `false`: the part is real reasoning. */
const returnProof = ({ proof }: ReasoningPart, turn: OpenTurn): boolean => {
  const found = proof === undefined ? undefined : readItemProof(proof);
  if (found === undefined) return false;
  const index = findSigned(found.signed, turn);
  const part = turn.parts[index];
  if (part?.type === 'tool-call' || part?.type === 'text') turn.parts.splice(index, 1, { ...part, proof: found.proof });
  return true;
};

/**
 * Consecutive items of the assistant are one turn, consecutive results one turn of the user: wire-wide these are steps of one answer and what
 * came of them.
 */
export function createConversation(): Conversation {
  const turns: Turn[] = [];
  let open: OpenTurn | undefined;
  const close = (): void => {
    if (open !== undefined && open.parts.length > 0) turns.push(closeTurn(open));
    open = undefined;
  };
  const openFor = (role: OpenTurn['role']): OpenTurn => {
    if (open?.role === role) return open;
    close();
    open = { role, parts: [], members: {}, message: -1 };
    return open;
  };
  return {
    addTurn: (turn, members) => {
      close();
      turns.push(closeTurn({ ...turn, members }));
    },
    addMessage: (parts, members) => {
      if (open?.role === 'assistant' && open.message >= 0 && !isSame(open.members, members)) close();
      const turn = openFor('assistant');
      turn.members = members;
      turn.message = turn.parts.length;
      for (const part of parts) turn.parts.push(part);
    },
    addStep: (part) => {
      const turn = openFor('assistant');
      if (part.type !== 'reasoning' || !returnProof(part, turn)) turn.parts.push(part);
    },
    addResult: (part) => void openFor('user').parts.push(part),
    addAside: (part) => void (open ?? openFor('user')).parts.push(part),
    turns: () => {
      close();
      return turns;
    },
  };
}
