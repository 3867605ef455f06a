import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Note } from '../shared/notes.ts';
import { textOf } from '../shared/read.ts';
import type { Node, Selection } from './tree.ts';

/** The models that a query names, where it compares only the model of the request. */
export const modelsOf = (query: JsonObject): readonly string[] => {
  const given = query['params.model'];
  if (given === undefined || Object.keys(query).length !== 1) return [];
  const compared = isObject(given) ? given : { $eq: given };
  if (Object.keys(compared).length !== 1) return [];
  return [compared['$eq'], ...readList(compared['$in'])].flatMap((name) => textOf(name) ?? []);
};

/** Reads a conditional strategy. @param children its targets by name */
export function readConditions(
  strategy: JsonObject,
  at: ConfigPath,
  children: ReadonlyMap<string, Node>,
  note: Note,
): Selection {
  const find = (value: unknown, from: ConfigPath): Node | undefined => {
    const name = textOf(value);
    const node = name === undefined ? undefined : children.get(name);
    if (node === undefined) note(from, 'This is not one of the imported targets, so it is left out.');
    return node;
  };
  const choices = readList(strategy['conditions']).flatMap((written, index) => {
    const condition = readObject(written);
    const from = [...at, 'conditions', index];
    const node = find(condition['then'], [...from, 'then']);
    if (node === undefined) return [];
    const models = modelsOf(readObject(condition['query']));
    if (models.length > 0) return models.map((name) => ({ name, node }));
    const name = textOf(condition['then']) ?? '';
    note(
      [...from, 'query'],
      `Here the model of a request alone selects its targets. Clients for which this condition holds must use ` +
        `"${name}" as their model; models of a key can enforce it.`,
      ['models'],
    );
    return [{ name, node }];
  });
  const otherwise = find(strategy['default'], [...at, 'default']);
  if (otherwise === undefined) return { kind: 'conditional', choices };
  note(
    [...at, 'default'],
    'A model that is not in the catalog is refused here. Add an alias for each other name that clients use.',
    ['models'],
  );
  return { kind: 'conditional', choices, otherwise };
}
