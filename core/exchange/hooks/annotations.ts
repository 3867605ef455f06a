import { isObject } from '../../canonical/json/members.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { excerpt } from '../../canonical/text/redact.ts';
import type { Admission, Annotations, Fields } from '../../contracts/outcome.ts';
import { describeValue, type HookWatch } from './hook.ts';

const MAX_FIELDS = 10;
const TEXT_LENGTH = 128;
const NAME = /^[a-z][a-z0-9_]{0,63}$/i;

/** What is wrong with a value, to complete `it returned …`; undefined: nothing. */
const checkValue = (group: string, name: string, value: unknown): string | undefined => {
  if (!NAME.test(name)) return `${group} with a name that is not valid`;
  const isValue = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isValue ? undefined : `${group} whose ${name} is ${describeValue(value)}`;
};

const checkFields = (group: string, fields: unknown): string | undefined => {
  if (!isObject(fields)) return `${group} that are ${describeValue(fields)}`;
  const entries = Object.entries(fields);
  if (entries.length > MAX_FIELDS) return `${group} with ${entries.length} names, and ${MAX_FIELDS} are allowed`;
  for (const [name, value] of entries) {
    const wrong = checkValue(group, name, value);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

const cutText = (value: Fields[string]): Fields[string] =>
  typeof value === 'string' ? excerpt(value, TEXT_LENGTH).replaceAll(/\p{Cc}/gu, '') : value;

const NONE: Fields = Object.freeze({});

/** The annotations of one plugin, checked when they are read. A group that is not valid is left out. */
export class NamedAnnotations implements Annotations {
  readonly #plugin: string;
  readonly #given: Annotations;
  readonly #watch: HookWatch;
  readonly #requestId: string;

  /** @param watch one that skips */
  constructor(plugin: string, given: Annotations, watch: HookWatch, requestId: string) {
    this.#plugin = plugin;
    this.#given = given;
    this.#watch = watch;
    this.#requestId = requestId;
  }

  get log(): Fields {
    return this.#read('log');
  }

  get tags(): Fields {
    return this.#read('tags');
  }

  get span(): Fields {
    return this.#read('span');
  }

  #read(group: keyof Annotations): Fields {
    try {
      const fields = this.#given[group];
      if (fields === undefined) return NONE;
      const wrong = checkFields(group, fields);
      if (wrong !== undefined) throw this.#watch.wrong(`annotations: ${wrong}`);
      const named = Object.entries(fields).map(([name, value]) => [`${this.#plugin}.${name}`, cutText(value)] as const);
      return Object.fromEntries(named);
    } catch (thrown) {
      this.#watch.judge(thrown, this.#requestId);
      return {};
    }
  }
}

const isEmpty = (fields: Fields): boolean => {
  for (const _name in fields) return false;
  return true;
};
const join = (before: Fields | undefined, added: Fields | undefined): Fields | undefined =>
  added === undefined || isEmpty(added) ? before : { ...before, ...added };

/** The annotations of all plugins; undefined if there are none. Groups without a field are absent. */
export function joinAnnotations(admissions: readonly Admission[]): Annotations | undefined {
  let joined: Annotations | undefined;
  for (const { annotations: added } of admissions)
    if (added !== undefined)
      joined = omitUndefined<Annotations>({
        log: join(joined?.log, added.log),
        tags: join(joined?.tags, added.tags),
        span: join(joined?.span, added.span),
      });
  return joined;
}
