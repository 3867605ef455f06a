import type { JsonObject, Part, ReasoningPart, Turn } from '../../../../../core/api/index.ts';
import { readItemProof, type ProofTarget } from '../../../../../core/api/internal.ts';
import { WIRE } from '../../shape.ts';

/** A turn to which the next item can still belong. */
interface OpenTurn {
  readonly role: 'assistant' | 'user';
  readonly parts: Part[];
  members: JsonObject;
  /** The index of the first part of the last message; -1 while the turn has no message. */
  message: number;
}

const closeTurn = (role: Turn['role'], parts: readonly Part[], members: JsonObject): Turn => ({
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

/** Collects items as turns. Consecutive items of the assistant are one turn; consecutive results are one user turn. */
export class Conversation {
  readonly #turns: Turn[] = [];
  #open: OpenTurn | undefined;

  /** A user or system message: a turn of its own. */
  addTurn({ role, parts }: Pick<Turn, 'role' | 'parts'>, members: JsonObject): void {
    this.#close();
    this.#turns.push(closeTurn(role, parts, members));
  }

  /** An assistant message. A message with other members (such as another `phase`) starts a new turn. */
  addMessage(parts: readonly Part[], members: JsonObject): void {
    const open = this.#open;
    if (open?.role === 'assistant' && open.message >= 0 && !isSame(open.members, members)) this.#close();
    const turn = this.#openTurn('assistant');
    turn.members = members;
    turn.message = turn.parts.length;
    for (const part of parts) turn.parts.push(part);
  }

  /** Reasoning, a call, or a call that ran at the vendor. */
  addStep(part: Part): void {
    const turn = this.#openTurn('assistant');
    if (part.type !== 'reasoning' || !restoreProof(part, turn)) turn.parts.push(part);
  }

  /** The result of a call. */
  addResult(part: Part): void {
    this.#openTurn('user').parts.push(part);
  }

  /** An item that is neither: it stays in the current turn. */
  addAside(part: Part): void {
    (this.#open ?? this.#openTurn('user')).parts.push(part);
  }

  /** Ends the conversation. */
  close(): readonly Turn[] {
    this.#close();
    return this.#turns;
  }

  #openTurn(role: OpenTurn['role']): OpenTurn {
    if (this.#open?.role === role) return this.#open;
    this.#close();
    this.#open = { role, parts: [], members: {}, message: -1 };
    return this.#open;
  }

  #close(): void {
    const open = this.#open;
    if (open !== undefined && open.parts.length > 0) this.#turns.push(closeTurn(open.role, open.parts, open.members));
    this.#open = undefined;
  }
}
