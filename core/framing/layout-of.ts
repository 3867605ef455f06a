import { readJsonLayout, type JsonBounds, type JsonLayout } from './json-layout.ts';

/**
 * What a received body may hold. 32 kB of gzip can unfold to 16 million empty arrays, which block the event loop for seconds and take a gigabyte.
 * So many values are parsed within some 30 ms, and long conversations have some 20,000. Numbers cost less, and an embeddings request
 * may have 300,000 token ids: https://platform.openai.com/docs/api-reference/embeddings/create
 */
export const bodyBounds: JsonBounds = { values: 200_000, numbers: 400_000 };

const layouts = new WeakMap<Uint8Array, JsonLayout>();

/** The layout of a received body, read once and within {@link bodyBounds}: the checks on arrival and the native lane share it. */
export const layoutOf = (raw: Uint8Array): JsonLayout => {
  const known = layouts.get(raw);
  if (known !== undefined) return known;
  const layout = readJsonLayout(raw, bodyBounds);
  layouts.set(raw, layout);
  return layout;
};
