import { readJsonLayout, type JsonBounds, type JsonLayout } from './json-layout.ts';

/**
 * Bounds of a request body. 32 kB of gzip can expand to 16 million empty arrays, which block the event loop for seconds
 * and take a gigabyte. A body within the bounds is parsed in at most 0.1 s, and no step of its translation takes much
 * longer. Long conversations have some 20,000 values, 10,000 tools some 70,000 objects and lists; an embeddings request
 * can have 300,000 token ids: https://platform.openai.com/docs/api-reference/embeddings/create
 */
export const bodyBounds: JsonBounds = { containers: 100_000, scalars: 500_000, keys: 25_000 };

/** Describes the exceeded bound; undefined if none is. */
export function describeExcess({ containers, scalars, keys }: JsonBounds): string | undefined {
  if (containers > bodyBounds.containers) return `more than ${bodyBounds.containers} objects and lists`;
  if (scalars > bodyBounds.scalars) return `more than ${bodyBounds.scalars} strings, numbers and literals`;
  return keys > bodyBounds.keys ? 'tens of thousands of different keys' : undefined;
}

/** On the bytes themselves: entries of a WeakMap, and what they refer to, are freed by no collection but a full one. */
const LAYOUT = Symbol('layout');

/**
 * The layout of a request body within {@link bodyBounds}, read once and shared by the checks on arrival and the native
 * lane.
 */
export function layoutOf(raw: Uint8Array & { [LAYOUT]?: JsonLayout }): JsonLayout {
  return (raw[LAYOUT] ??= readJsonLayout(raw, bodyBounds));
}
