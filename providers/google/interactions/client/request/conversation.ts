import type { JsonObject, ReasoningPart, Turn } from '../../../../../core/api/index.ts';
import { readItemProof } from '../../../../../core/api/internal.ts';
import { partPath, prefixPaths } from '../../../generate-content/extra-members.ts';
import { WIRE } from '../../shape.ts';
import type { DecodedPart } from './content.ts';

/** Whose steps a turn holds: the model's, results of its calls, or loose content of the user. */
type Side = 'model' | 'results' | 'content';

interface OpenTurn {
  readonly side: Side | 'user';
  readonly parts: DecodedPart[];
}

const closeTurn = ({ side, parts }: OpenTurn): Turn => {
  const members: JsonObject = {};
  parts.forEach(({ extra }, index) => Object.assign(members, prefixPaths(partPath(index), extra)));
  return {
    role: side === 'model' ? 'assistant' : 'user',
    parts: parts.map(({ part }) => part),
    ...(Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } }),
  };
};

/** Puts the proof of a call or a text back on it. Returns false for real reasoning. */
const restoreProof = ({ proof }: ReasoningPart, parts: DecodedPart[]): boolean => {
  const found = proof === undefined ? undefined : readItemProof(proof);
  if (found === undefined) return false;
  const { target } = found;
  const index = parts.findLastIndex(({ part }) =>
    'callId' in target ? part.type === 'tool-call' && part.id === target.callId : part.type === 'text',
  );
  const known = parts[index];
  if (known?.part.type === 'tool-call' || known?.part.type === 'text')
    parts.splice(index, 1, { ...known, part: { ...known.part, proof: found.proof } });
  return true;
};

/** Collects steps as turns. Consecutive steps of the model are one turn, and so are consecutive results. */
export class Conversation {
  readonly #turns: Turn[] = [];
  #open: OpenTurn | undefined;

  /** What the user has sent: a turn of its own. */
  addTurn(parts: readonly DecodedPart[]): void {
    this.#close();
    this.#turns.push(closeTurn({ side: 'user', parts: [...parts] }));
  }

  /** Parts of a side, whose neighbours are one turn. */
  add(side: Side, ...parts: readonly DecodedPart[]): void {
    const { parts: known } = this.#openTurn(side);
    for (const decoded of parts)
      if (decoded.part.type !== 'reasoning' || !restoreProof(decoded.part, known)) known.push(decoded);
  }

  /** Ends the conversation. */
  close(): readonly Turn[] {
    this.#close();
    return this.#turns;
  }

  #openTurn(side: Side): OpenTurn {
    if (this.#open?.side === side) return this.#open;
    this.#close();
    return (this.#open = { side, parts: [] });
  }

  #close(): void {
    if (this.#open !== undefined && this.#open.parts.length > 0) this.#turns.push(closeTurn(this.#open));
    this.#open = undefined;
  }
}
