import type { JsonObject, Part, ReasoningPart, Turn } from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import { readItemProof, type ProofTarget } from '../../item-proof.ts';

/** A turn that the next item may still belong to. */
interface OpenTurn {
  readonly role: 'assistant' | 'user';
  readonly parts: Part[];
  members: JsonObject;
  /** The index of the first part of the last message; -1 while the turn has no message. */
  message: number;
}

/** Collects items as turns. */
export interface Conversation {
  /** A user or system message: a turn of its own. */
  addTurn(turn: Pick<Turn, 'role' | 'parts'>, members: JsonObject): void;
  /** An assistant message. A message with other members (such as another `phase`) starts a new turn. */
  addMessage(parts: readonly Part[], members: JsonObject): void;
  /** Reasoning, a call, or a call that ran at the vendor. */
  addStep(part: Part): void;
  /** The result of a call. */
  addResult(part: Part): void;
  /** An item that is neither: it stays in the current turn. */
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

/** The index of the part that a proof in an item of its own belongs to, or -1. */
const findTarget = (target: ProofTarget, { parts, message }: OpenTurn): number => {
  if ('callId' in target) return parts.findLastIndex((part) => part.type === 'tool-call' && part.id === target.callId);
  return message < 0 ? -1 : message + target.content;
};

/** Puts the proof of a call or a text back on it. Returns false for real reasoning. */
const restoreProof = ({ proof }: ReasoningPart, turn: OpenTurn): boolean => {
  const found = proof === undefined ? undefined : readItemProof(proof);
  if (found === undefined) return false;
  const index = findTarget(found.target, turn);
  const part = turn.parts[index];
  if (part?.type === 'tool-call' || part?.type === 'text') turn.parts.splice(index, 1, { ...part, proof: found.proof });
  return true;
};

/** Consecutive items of the assistant are one turn; consecutive results are one user turn. */
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
      if (part.type !== 'reasoning' || !restoreProof(part, turn)) turn.parts.push(part);
    },
    addResult: (part) => void openFor('user').parts.push(part),
    addAside: (part) => void (open ?? openFor('user')).parts.push(part),
    turns: () => {
      close();
      return turns;
    },
  };
}
