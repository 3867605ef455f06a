import type { BodyPlace } from '../../canonical/tool.ts';
import { isObject } from '../../canonical/json/members.ts';
import type { BodyEdit } from '../../contracts/native.ts';

/** A value within a body that is set, or without `value` removed. */
export interface PlaceEdit {
  readonly place: BodyPlace;
  readonly value?: unknown;
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

/** The value with the edits below it. `undefined` for one that is removed, or that has lost all its content. */
const editValue = (value: unknown, edits: readonly PlaceEdit[], depth: number): unknown => {
  const own = edits.find(({ place }) => place.length === depth);
  if (own !== undefined) return own.value;
  const below = Map.groupBy(edits, ({ place }) => place[depth]);
  if (Array.isArray(value)) {
    const kept = value.flatMap((item: unknown, index) => {
      const inner = below.get(index);
      const edited = inner === undefined ? item : editValue(item, inner, depth + 1);
      return edited === undefined ? [] : [edited];
    });
    return kept.length === 0 ? undefined : kept;
  }
  const edited: Record<string, unknown> = isObject(value) ? { ...value } : {};
  for (const [name, inner] of below) {
    const changed = editValue(edited[String(name)], inner, depth + 1);
    if (changed === undefined) delete edited[String(name)];
    else edited[String(name)] = changed;
  }
  return isEmpty(edited) ? undefined : edited;
};

/** The top-level members of a body after the edits. A member, entry or object without content is removed. */
export const editBody = (body: Readonly<Record<string, unknown>>, edits: readonly PlaceEdit[]): readonly BodyEdit[] =>
  [...Map.groupBy(edits, ({ place }) => String(place[0]))].map(([member, own]) => ({
    member,
    value: editValue(body[member], own, 1),
  }));
