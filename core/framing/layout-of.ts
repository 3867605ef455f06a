import { readJsonLayout, type JsonBounds, type JsonLayout } from './json-layout.ts';

/**
 * What a received body may hold. 32 kB of gzip can unfold to 16 million empty arrays, which block the event loop for
 * seconds and take a gigabyte. What is within the bounds is parsed in 0.1 to 0.2 s at worst. Long conversations have
 * some 20,000 values; an embeddings request may have 300,000 token ids:
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
export const bodyBounds: JsonBounds = { containers: 250_000, scalars: 500_000, keys: 25_000 };

/** Which bound is exceeded, in words; `undefined` where none is. */
export function describeExcess({ containers, scalars, keys }: JsonBounds): string | undefined {
  if (containers > bodyBounds.containers) return `more than ${bodyBounds.containers} objects and lists`;
  if (scalars > bodyBounds.scalars) return `more than ${bodyBounds.scalars} strings, numbers and literals`;
  return keys > bodyBounds.keys ? 'tens of thousands of different keys' : undefined;
}

const layouts = new WeakMap<Uint8Array, JsonLayout>();

/**
 * The layout of a received body, read once and within {@link bodyBounds}: the checks on arrival and the native lane
 * share it.
 */
export function layoutOf(raw: Uint8Array): JsonLayout {
  const known = layouts.get(raw);
  if (known !== undefined) return known;
  const layout = readJsonLayout(raw, bodyBounds);
  layouts.set(raw, layout);
  return layout;
}
