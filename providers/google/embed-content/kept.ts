import type { JsonObject } from '../../../core/index.ts';

/**
 * Members of the requests of a batch without a canonical word (`taskType`, `title`) stand in `rest` under their paths: `requests[].taskType` where
 * all of them say the same, `requests[2].title` where they do not. On this wire they come back; on another the path is named as lost.
 */
export const keepBatch = (requests: readonly Readonly<JsonObject>[]): JsonObject => {
  const kept: JsonObject = {};
  for (const name of new Set(requests.flatMap((request) => Object.keys(request)))) {
    const [first] = requests;
    const text = JSON.stringify(first?.[name]);
    if (requests.every((request) => JSON.stringify(request[name]) === text)) kept[`requests[].${name}`] = first?.[name];
    else requests.forEach((request, index) => request[name] !== undefined && (kept[`requests[${index}].${name}`] = request[name]));
  }
  return kept;
};

const PATH = /^requests\[(?<index>\d*)\]\.(?<name>.+)$/;

export interface Kept {
  /** Of the body itself. */
  readonly body: JsonObject;
  /** What each request of the batch says beside its content. */
  readonly of: (index: number) => JsonObject;
}

/** The inverse of {@link keepBatch}; what has no path belongs to the body. */
export const splitBatch = (members: Readonly<JsonObject>): Kept => {
  const body: JsonObject = {};
  const everywhere: JsonObject = {};
  const places = new Map<string, JsonObject>();
  for (const [path, value] of Object.entries(members)) {
    const { index, name } = PATH.exec(path)?.groups ?? {};
    if (name === undefined || index === undefined) body[path] = value;
    else if (index === '') everywhere[name] = value;
    else places.set(index, { ...places.get(index), [name]: value });
  }
  return { body, of: (index) => ({ ...everywhere, ...places.get(String(index)) }) };
};
