import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  type ChoiceWriter,
  createBufferLimit,
  isObject,
  omitUndefined,
  type PartWriter,
  type Proof,
  readObject,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { deriveCallId } from '../../shape.ts';

type Key = string | number;
type Container = JsonObject | unknown[];

/** `$.a.b[0]['c d']` as keys. A string that is no such path has none. */
const parsePath = (path: string): readonly Key[] =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g)].map(([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? '') : Number(index),
  );

/** Below the depth that a body can have. */
const MAX_DEPTH = 100;

/** What each level of a path counts in addition to its name. */
const LEVEL_COST = 16;

/** Arrays grow by one item at a time: a larger index leaves no holes. */
const resolveKey = (container: Container, key: Key): Key =>
  Array.isArray(container) ? Math.min(typeof key === 'number' ? key : container.length, container.length) : String(key);

const getMember = (container: Container, key: Key): unknown =>
  Object.hasOwn(container, key) ? (container as JsonObject)[String(key)] : undefined;
const setMember = (container: Container, key: Key, value: unknown): void =>
  void Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });

const readPiece = (piece: JsonObject): unknown => {
  if (typeof piece['stringValue'] === 'string') return piece['stringValue'];
  if (typeof piece['numberValue'] === 'number') return piece['numberValue'];
  if (typeof piece['boolValue'] === 'boolean') return piece['boolValue'];
  return 'nullValue' in piece ? null : undefined;
};

/**
 * Arguments that arrive in pieces:
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
export class PartialArgs {
  readonly value: JsonObject;
  readonly #keep: (chars: number) => void;
  /** Paths whose text continues in the next piece. */
  readonly #growing = new Set<string>();

  /** @param keep counts what is buffered of the response */
  constructor(start: JsonObject, keep: (chars: number) => void = createBufferLimit()) {
    this.value = { ...start };
    this.#keep = keep;
  }

  /** @param pieces `partialArgs` of one chunk */
  add(pieces: unknown): void {
    for (const piece of readObjects(pieces)) {
      const path = readText(piece['jsonPath']);
      this.#set(path, readPiece(piece));
      if (piece['willContinue'] === true) this.#growing.add(path);
      else this.#growing.delete(path);
    }
  }

  #set(path: string, piece: unknown): void {
    const keys = parsePath(path).slice(0, MAX_DEPTH);
    const last = keys.at(-1);
    if (last === undefined || piece === undefined) return;
    this.#keep(path.length + keys.length * LEVEL_COST + (typeof piece === 'string' ? piece.length : 0));
    const container = this.#createContainer(keys);
    const key = resolveKey(container, last);
    const known = getMember(container, key);
    const appends = this.#growing.has(path) && typeof known === 'string' && typeof piece === 'string';
    setMember(container, key, appends ? known + piece : piece);
  }

  /** The object or array that holds the last key, created where it is missing. */
  #createContainer(keys: readonly Key[]): Container {
    let container: Container = this.value;
    for (const [depth, wanted] of keys.slice(0, -1).entries()) {
      const key = resolveKey(container, wanted);
      const known = getMember(container, key);
      const inner: Container =
        isObject(known) || Array.isArray(known) ? known : typeof keys[depth + 1] === 'number' ? [] : {};
      if (inner !== known) setMember(container, key, inner);
      container = inner;
    }
    return container;
  }
}

/** A call whose arguments arrive in pieces. */
interface OpenCall {
  readonly part: PartWriter;
  readonly args: PartialArgs;
}

interface CallOptions {
  readonly answer: ChoiceWriter;
  /** The number of the choice. */
  readonly choice: number;
  /** Index of the turn among all turns of the conversation. */
  readonly turn: number;
  /** Counts what is buffered. */
  readonly keep: (chars: number) => void;
}

/**
 * The calls of one candidate. A call is whole in one part; on Vertex AI, where the client requests it, it arrives
 * argument by argument until a part without `willContinue`.
 */
export class CallReader {
  readonly #options: CallOptions;
  #open: OpenCall | undefined;

  constructor(options: CallOptions) {
    this.#options = options;
  }

  read(call: JsonObject, proof: Proof | undefined): void {
    const continues = this.#open !== undefined && readText(call['name']) === '' && !isObject(call['args']);
    if (!continues) this.close();
    const { part, args } = (this.#open ??= this.#start(call, proof));
    part.proof ??= proof;
    args.add(call['partialArgs']);
    if (call['willContinue'] !== true) this.close();
  }

  /** Ends the call that is still open, if any. */
  close(): void {
    if (this.#open === undefined) return;
    const { part, args } = this.#open;
    this.#open = undefined;
    part.write(JSON.stringify(args.value));
    part.end();
  }

  #start(call: JsonObject, proof: Proof | undefined): OpenCall {
    const { answer, choice, turn, keep } = this.#options;
    const id = readText(call['id']) || deriveCallId(turn, answer.calls, choice);
    const part = answer.call(omitUndefined({ id, name: readText(call['name']), kind: 'function', proof }));
    return { part, args: new PartialArgs(readObject(call['args']), keep) };
  }
}
