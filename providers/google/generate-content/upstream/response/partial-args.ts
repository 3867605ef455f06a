import { createKeptLimit, isObject, type JsonObject, readObjects, readText } from '../../../../../core/index.ts';

type Key = string | number;

/** `$.a.b[0]['c d']` as keys. What is not such a path has none. */
const parsePath = (path: string): readonly Key[] =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g)].map(([, name, index, single, double]) =>
    index === undefined ? (name ?? single ?? double ?? '') : Number(index),
  );

/** As deep as a body may be. */
const MAX_DEPTH = 100;

/** Arrays grow by one at a time: an index from afar makes no holes. */
const placeOf = (holder: JsonObject | unknown[], key: Key): Key =>
  Array.isArray(holder) ? Math.min(typeof key === 'number' ? key : holder.length, holder.length) : String(key);

const read = (holder: JsonObject | unknown[], key: Key): unknown =>
  Object.hasOwn(holder, key) ? (holder as JsonObject)[String(key)] : undefined;
const write = (holder: JsonObject | unknown[], key: Key, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });

const valueOf = (piece: JsonObject): unknown => {
  if (typeof piece['stringValue'] === 'string') return piece['stringValue'];
  if (typeof piece['numberValue'] === 'number') return piece['numberValue'];
  if (typeof piece['boolValue'] === 'boolean') return piece['boolValue'];
  return 'nullValue' in piece ? null : undefined;
};

/** Arguments that come in pieces: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc */
export interface PartialArgs {
  /** Takes the pieces of one chunk. */
  add(pieces: unknown): void;
  readonly value: JsonObject;
}

/** What a level of a path costs beside its name. */
const LEVEL = 16;

/** @param keep counts what is kept of the answer */
export function createPartialArgs(start: JsonObject, keep = createKeptLimit()): PartialArgs {
  const value: JsonObject = { ...start };
  /** Paths whose text goes on. */
  const growing = new Set<string>();

  const set = (path: string, piece: unknown): void => {
    const keys = parsePath(path).slice(0, MAX_DEPTH);
    const last = keys.at(-1);
    if (last === undefined || piece === undefined) return;
    keep(path.length + keys.length * LEVEL + (typeof piece === 'string' ? piece.length : 0));
    let holder: JsonObject | unknown[] = value;
    keys.slice(0, -1).forEach((key, depth) => {
      const place = placeOf(holder, key);
      const known = read(holder, place);
      const inner: JsonObject | unknown[] =
        isObject(known) || Array.isArray(known) ? known : typeof keys[depth + 1] === 'number' ? [] : {};
      if (inner !== known) write(holder, place, inner);
      holder = inner;
    });
    const place = placeOf(holder, last);
    const known = read(holder, place);
    write(
      holder,
      place,
      growing.has(path) && typeof known === 'string' && typeof piece === 'string' ? known + piece : piece,
    );
  };

  return {
    value,
    add: (pieces) => {
      for (const piece of readObjects(pieces)) {
        const path = readText(piece['jsonPath']);
        set(path, valueOf(piece));
        if (piece['willContinue'] === true) growing.add(path);
        else growing.delete(path);
      }
    },
  };
}
