import { isObject } from '../../canonical/json/members.ts';
import { readList } from '../../canonical/json/read.ts';
import type { JsonObject } from '../../canonical/wire.ts';

/** A node of the file: its schemas, and its value if the file has it. */
export interface SchemaNode {
  /** As messages show it. A name in angle brackets stands for any. */
  readonly path: string;
  readonly schemas: readonly JsonObject[];
  readonly value: unknown;
}

/** More entries than these are treated alike. */
const MAX_ENTRIES = 20;

/** What the names of a section are names of. */
const nouns: Readonly<Record<string, string>> = {
  organizations: 'organization',
  projects: 'project',
  keys: 'key',
  providers: 'provider',
  models: 'model',
};

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : isObject(value) ? 'object' : value === null ? 'null' : typeof value;

/** Whether the branch is for the extension that an entry uses. */
const isUsed = ({ if: condition }: JsonObject, entry: unknown): boolean => {
  if (entry === undefined) return true;
  const properties = isObject(condition) ? condition['properties'] : undefined;
  const selector = isObject(properties) ? properties['use'] : undefined;
  if (!isObject(entry) || !isObject(selector)) return false;
  return selector['const'] === entry['use'] || readList(selector['enum']).includes(entry['use']);
};

/** The composed schema of a file, as a tree of nodes. */
export class SchemaTree {
  readonly root: SchemaNode;
  readonly #definitions: unknown;

  constructor(schema: JsonObject, data: unknown) {
    this.#definitions = schema['definitions'];
    this.root = { path: '', schemas: this.#expand(schema, data), value: data };
  }

  /** The schemas of a setting of this name that accept a value of this type. */
  accepts({ schemas }: SchemaNode, name: string, value: unknown): boolean {
    const found = schemas.flatMap(({ properties }) => (isObject(properties) ? [properties[name]] : []));
    const type = typeOf(value);
    return found
      .flatMap((schema) => this.#expand(schema, undefined))
      .some(({ type: types, enum: values, properties }) => {
        if (Array.isArray(values)) return values.includes(value);
        const wanted = [types].flat().map((one) => (one === 'integer' ? 'number' : one));
        return types === undefined ? (properties !== undefined) === (type === 'object') : wanted.includes(type);
      });
  }

  /** The node below one, if the schema has it. */
  step(node: SchemaNode, segment: string | number): SchemaNode | undefined {
    const { schemas, value } = node;
    const below = Array.isArray(value)
      ? value[Number(segment)]
      : isObject(value)
        ? (value[String(segment)] as unknown)
        : undefined;
    const found = schemas.flatMap(({ properties, additionalProperties, items }) => {
      const own = isObject(properties) ? properties[String(segment)] : undefined;
      const schema = typeof segment === 'number' ? items : (own ?? additionalProperties);
      return isObject(schema) ? this.#expand(schema, below) : [];
    });
    return found.length === 0 ? undefined : { path: joinPath(node.path, segment), schemas: found, value: below };
  }

  /** All nodes one level below. */
  children(node: SchemaNode): readonly SchemaNode[] {
    const { schemas, value } = node;
    const named = schemas.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []));
    const entries = Array.isArray(value) ? [...value.keys()] : isObject(value) ? Object.keys(value) : [];
    const own = entries.filter((entry) => typeof entry === 'number' || !named.includes(entry));
    const segments = [...new Set(named), ...(own.length > MAX_ENTRIES ? [] : own)];
    const known = segments.flatMap((segment) => this.step(node, segment) ?? []);
    return own.length > 0 && own.length <= MAX_ENTRIES ? known : [...known, ...this.#anyEntry(node)];
  }

  #anyEntry({ path, schemas }: SchemaNode): readonly SchemaNode[] {
    return schemas.flatMap(({ additionalProperties, items }) => {
      const section = /(\w+)$/.exec(path)?.[1] ?? '';
      if (isObject(additionalProperties))
        return [
          {
            path: `${path}.<${nouns[section] ?? 'name'}>`,
            schemas: this.#expand(additionalProperties, undefined),
            value: undefined,
          },
        ];
      return isObject(items) ? [{ path: `${path}[…]`, schemas: this.#expand(items, undefined), value: undefined }] : [];
    });
  }

  /** Follows references and conditions. Of the extensions, only the schema of the one in use applies. */
  #expand(schema: unknown, value: unknown): readonly JsonObject[] {
    if (!isObject(schema)) return [];
    const { $ref, allOf, then, else: otherwise } = schema;
    if (typeof $ref === 'string') {
      const name = $ref.replace('#/definitions/', '');
      return isObject(this.#definitions) ? this.#expand(this.#definitions[name], value) : [];
    }
    const used = readList(allOf).filter((branch): branch is JsonObject => isObject(branch) && isUsed(branch, value));
    const branches = [...used.map((branch) => branch['then']), then, otherwise];
    return [schema, ...branches.flatMap((branch) => this.#expand(branch, value))];
  }
}

const joinPath = (path: string, segment: string | number): string => {
  if (typeof segment === 'number') return `${path}[${segment}]`;
  if (!/^[A-Za-z_][\w-]*$/.test(segment)) return `${path}[${JSON.stringify(segment)}]`;
  return path === '' ? segment : `${path}.${segment}`;
};
