import type { JsonObject } from '../../../core/index.ts';

/**
 * Members of the requests of a batch without a canonical word (`taskType`, `title`) stand in `extra` under their paths: `requests[].taskType` where
 * all of them say the same, `requests[2].title` where they do not. On this wire they come back; on another the path is named as lost.
 */
export function flattenBatchExtra(requests: readonly Readonly<JsonObject>[]): JsonObject {
  const said = Map.groupBy(
    requests.flatMap((request, index) => Object.entries(request).map(([name, value]) => ({ name, value, index }))),
    ({ name }) => name,
  );
  const kept = [...said].flatMap(([name, values]): readonly (readonly [path: string, value: unknown])[] => {
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
  /** Of the body itself. */
  readonly body: JsonObject;
  /** What each request of the batch says beside its content. */
  readonly of: (index: number) => JsonObject;
}

/** The inverse of {@link flattenBatchExtra}; what has no path belongs to the body. */
export function splitBatchExtra(members: Readonly<JsonObject>): Kept {
  const byPlace = Map.groupBy(Object.entries(members), ([path]) => PLACE.exec(path)?.[0] ?? '');
  const at = (place: string): JsonObject =>
    Object.fromEntries((byPlace.get(place) ?? []).map(([path, value]) => [path.slice(place.length), value]));
  return { body: at(''), of: (index) => ({ ...at('requests[].'), ...at(`requests[${index}].`) }) };
}
