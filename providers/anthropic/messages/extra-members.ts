import type { JsonObject } from '../../../core/api/index.ts';
import type { Members } from '../../../core/api/codec.ts';

/**
 * A block with members that the canonical form cannot hold (`caller`, a document's `context`, a whole `search_result`)
 * is kept whole in `Turn.extra`, under the path of the block. It is restored on this wire and reported as lost on any
 * other.
 */
export const blockPath = (index: number, parent = ''): string =>
  `${parent === '' ? '' : `${parent}.`}content[${index}]`;

const isBlockPath = (name: string): boolean => name.startsWith('content[');

/** Splits the extra members of a turn into kept blocks and members of the message itself. */
export function splitTurnExtra(members: Readonly<JsonObject>): {
  readonly blocks: JsonObject;
  readonly own: JsonObject;
} {
  const blocks: JsonObject = {};
  const own: JsonObject = {};
  for (const [name, value] of Object.entries(members)) (isBlockPath(name) ? blocks : own)[name] = value;
  return { blocks, own };
}

/** The objects of a request that can have extra members. An inner object comes before the one that it is in. */
const objects = ['thinking', 'output_config.format', 'output_config', 'metadata'] as const;
export type ObjectPath = (typeof objects)[number];

/** The unread members of an object as extra members of the request. Each can be lost under its own path. */
export const nestExtra = (path: ObjectPath, members: Members): JsonObject =>
  Object.fromEntries(Object.entries(members.unread()).map(([name, value]) => [`${path}.${name}`, value]));

/** Splits the extra members of a request into its own members and those of each object. */
export function splitRequestExtra(members: Readonly<JsonObject>): {
  readonly own: JsonObject;
  readonly nested: Readonly<Record<ObjectPath, JsonObject>>;
} {
  const own: JsonObject = {};
  const nested = { 'thinking': {}, 'output_config.format': {}, 'output_config': {}, 'metadata': {} };
  for (const [name, value] of Object.entries(members)) {
    const path = objects.find((object) => name.startsWith(`${object}.`));
    const target: JsonObject = path === undefined ? own : nested[path];
    target[path === undefined ? name : name.slice(path.length + 1)] = value;
  }
  return { own, nested };
}
