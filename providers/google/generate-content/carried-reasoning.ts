import type { JsonObject, ReasoningPart } from '../../../core/api/index.ts';
import { omitUndefined, parseJson, type Proof, readObjects, readText, unsealProof } from '../../../core/api/codec.ts';

/** Reasoning that the signature of a call carries. */
export interface CarriedReasoning {
  readonly part: ReasoningPart;
  /** How many parts are between the reasoning and the call. Neighbouring texts count as one: clients join them. */
  readonly before: number;
}

/** A `thoughtSignature` that a client sends. */
export interface Signature {
  /** The proof of the part itself; absent if the signature only carries reasoning. */
  readonly proof?: Proof;
  readonly carried: readonly CarriedReasoning[];
}

/** The start of the sealed value of a signature that carries reasoning. */
const MARK = 'reasoning:';
/** More than a model returns before one call. */
const MAX_CARRIED = 64;

/**
 * Collects the reasoning of a response that its next call carries. Clients of this wire send a call back with its
 * signature, but some of them (Gemini CLI) leave out every thought, with its proof. The vendors of other wires reject a
 * call without the reasoning before it, and its text belongs to the proof.
 */
export class ReasoningCarrier {
  #waiting: { readonly text: string; readonly proof: Proof; before: number }[] = [];
  #origin: Proof['origin'];
  #isInText = false;

  /** A reasoning part has ended. */
  add(text: string, proof: Proof | undefined): void {
    if (proof?.origin === undefined || this.#waiting.length === MAX_CARRIED) return;
    this.#origin = proof.origin;
    this.#waiting.push({ text, proof, before: 0 });
    this.#isInText = false;
  }

  /** A part that the client keeps was written after the reasoning. */
  pass(isText: boolean): void {
    if (!isText || !this.#isInText) for (const one of this.#waiting) one.before += 1;
    this.#isInText = isText;
  }

  /** The proof to seal for a call: its own if its vendor signs calls, otherwise the reasoning since the last call. */
  sign(own: Proof | undefined): Proof | undefined {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (own !== undefined || waiting.length === 0) return own;
    const reasoning = waiting.map(({ text, proof: { value, redacted }, before }) =>
      omitUndefined({ text, value, redacted, before }),
    );
    return { origin: this.#origin, value: MARK + JSON.stringify(reasoning) };
  }
}

const readCarried = (entry: JsonObject, origin: Proof['origin']): readonly CarriedReasoning[] => {
  const value = readText(entry['value']);
  if (value === '') return [];
  const redacted = entry['redacted'] === true ? ({ redacted: true } as const) : {};
  const { before } = entry;
  return [
    {
      part: { type: 'reasoning', text: readText(entry['text']), ...redacted, proof: { origin, value, ...redacted } },
      before: typeof before === 'number' ? before : 0,
    },
  ];
};

/** Reads a signature. One that a client has altered carries nothing. */
export function readSignature(signature: string): Signature {
  const proof = unsealProof(signature);
  const { origin, value } = proof;
  if (origin === undefined || !value.startsWith(MARK)) return { proof, carried: [] };
  const entries = readObjects(parseJson(value.slice(MARK.length))).slice(0, MAX_CARRIED);
  return { carried: entries.flatMap((entry) => readCarried(entry, origin)) };
}
