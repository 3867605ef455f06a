import type { Discriminant } from '../discriminants.ts';
import type { TypeReader } from '../read-types.ts';
import { listAll, type TypePath } from './surface.ts';

interface Event {
  readonly type: string;
}

/**
 * The events of a stream. One that the stream has is renamed there; any other is put before its last event.
 */
export function listEvents(
  types: TypeReader,
  paths: readonly TypePath[],
  stream: readonly Event[],
): readonly Discriminant[] {
  const has = new Set(stream.map(({ type }) => type));
  const insert = (event: unknown): readonly unknown[] => [...stream.slice(0, -1), event, ...stream.slice(-1)];
  return listAll(types, paths, 1).map((one) => {
    const { name, madeUp } = one;
    if (!has.has(name))
      return { ...one, value: insert(one.value), control: insert(one.control), without: stream, inner: () => [] };
    return {
      ...one,
      value: stream,
      control: stream.map((event) => (event.type === name ? { ...event, type: madeUp } : event)),
      without: stream.filter(({ type }) => type !== name),
      inner: () => [],
    };
  });
}
