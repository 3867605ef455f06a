import type { JsonObject } from '../../../core/api/index.ts';

/**
 * The extra members of the requests of a batch (`taskType`, `title`) by path: `requests[].taskType` if all requests
 * have the same value, `requests[2].title` otherwise. They are restored on this wire, and reported as lost under that
 * path on any other.
 */
export function flattenBatchExtra(requests: readonly Readonly<JsonObject>[]): JsonObject {
  const byName = Map.groupBy(
    requests.flatMap((request, index) => Object.entries(request).map(([name, value]) => ({ name, value, index }))),
    ({ name }) => name,
  );
  const kept = [...byName].flatMap(([name, values]): readonly (readonly [path: string, value: unknown])[] => {
    const text = JSON.stringify(values[0]?.value);
    const isShared = values.length === requests.length && values.every(({ value }) => JSON.stringify(value) === text);
    return isShared
      ? [[`requests[].${name}`, values[0]?.value]]
      : values.map(({ value, index }) => [`requests[${index}].${name}`, value]);
  });
  return Object.fromEntries(kept);
}

const PLACE = /^requests\[\d*\]\./;

export interface Kept {
  /** Members of the body itself. */
  readonly body: JsonObject;
  /** The extra members of one request of the batch. */
  readonly of: (index: number) => JsonObject;
}

/** The inverse of {@link flattenBatchExtra}. Members without such a path belong to the body. */
export function splitBatchExtra(members: Readonly<JsonObject>): Kept {
  const byPlace = Map.groupBy(Object.entries(members), ([path]) => PLACE.exec(path)?.[0] ?? '');
  const at = (place: string): JsonObject =>
    Object.fromEntries((byPlace.get(place) ?? []).map(([path, value]) => [path.slice(place.length), value]));
  return { body: at(''), of: (index) => ({ ...at('requests[].'), ...at(`requests[${index}].`) }) };
}
