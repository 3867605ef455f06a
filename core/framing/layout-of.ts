import { readJsonLayout, type JsonLayout } from './json-layout.ts';

const layouts = new WeakMap<Uint8Array, JsonLayout>();

/** The layout of a received body, read once: the checks on arrival and the native lane share it. */
export const layoutOf = (raw: Uint8Array): JsonLayout => {
  const known = layouts.get(raw);
  if (known !== undefined) return known;
  const layout = readJsonLayout(raw);
  layouts.set(raw, layout);
  return layout;
};
