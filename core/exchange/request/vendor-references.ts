import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { foldName, type References, type StoredReference } from '../../contracts/request-members.ts';

/** A member that refers to something stored at a vendor. */
export interface FoundReference extends StoredReference {
  readonly path: string;
  /** It requests a new object, and refers to none. */
  readonly creates: boolean;
}

const readReference = (value: unknown, { isReference }: References, path: string): FoundReference | undefined => {
  const found = isReference?.(value) ?? false;
  if (found === false) return undefined;
  if (found !== true) return { ...found, path, creates: found.id === undefined };
  const id = isObject(value) ? value['id'] : value;
  return { path, id: typeof id === 'string' && id !== '' ? id : undefined, creates: false };
};

const collectInValue = (value: unknown, references: References, path: string, found: FoundReference[]): void => {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      collectInValue(value[index], references, `${path}[${index}]`, found);
    return;
  }
  if (value === undefined) return;
  const reference = references.isReference === undefined ? undefined : readReference(value, references, path);
  if (reference !== undefined) found.push(reference);
  if (isObject(value)) collectInObject(value, references, `${path}.`, found);
};

const collectInObject = (
  object: Readonly<JsonObject>,
  { members }: References,
  prefix: string,
  found: FoundReference[],
): void => {
  if (members.size === 0) return;
  for (const name in object) {
    const references = members.get(foldName(name));
    if (references !== undefined) collectInValue(object[name], references, prefix + name, found);
  }
};

/** The members that refer to something stored at the vendor. */
export function findReferences(body: unknown, references: References | undefined): readonly FoundReference[] {
  const found: FoundReference[] = [];
  if (references !== undefined && isObject(body)) collectInObject(body, references, '', found);
  return found;
}
