import { isObject } from '../canonical/json/members.ts';
import { isRawNumber } from '../canonical/json/raw-number.ts';
import { openSummary, sealSummary } from '../canonical/proof.ts';
import { meaningOf, type TextMeaning, type TextMembers } from '../canonical/text/text-members.ts';
import type { JsonObject } from '../canonical/wire.ts';
import { isDeeper } from './call-input.ts';
import { parseExactJson } from './exact-json.ts';
import { MAX_DEPTH } from './json-layout.ts';

/**
 * - `text`: a string
 * - `signed`: a string that its vendor signed
 * - `name`: the name of a member
 * - `number`: a number among data of the caller
 */
export type TextKind = 'text' | 'signed' | 'name' | 'number';

/** What rules cannot read: bytes of media, content that is elsewhere, and what only the vendor can decrypt. */
export type Unreadable = 'media' | 'references' | 'encrypted';

export interface TextVisitor {
  /**
   * Called for each text, in the order of the value.
   * @param run number of the list of parts that a reader joins; 0: the text stands by itself
   * @param path only words of the wire and positions; other names are `*`
   * @returns the text to use in its place
   */
  text(text: string, kind: TextKind, run: number, path: () => string): string;
  /** Called for each value that cannot be read. */
  unreadable?(kind: Unreadable, path: () => string): void;
}

/** Names of members that say nothing of a caller. Names with digits or other characters are searched. */
const PLAIN_NAME = /^[$_a-zA-Z-]{1,64}$/;
const WORD = /^[\w.:/+#$-]{1,128}$/;
const BASE64 = /^[\w+/=\r\n-]+$/;
const DATA_URL = /^data:[\w.;=/+-]*;base64,[\w+/=\r\n%-]*$/i;

/** A part of a list that a reader joins with the parts beside it. */
const isPart = (value: unknown): boolean => isObject(value) && typeof value['text'] === 'string';

/** Visits every text of a JSON value, and replaces those that the visitor changes. The rest is not copied. */
class TextWalk {
  readonly #members: TextMembers;
  readonly #visitor: TextVisitor;
  /** Names and positions that lead to the current value. */
  readonly #path: (string | number)[] = [];
  #runs = 0;
  /** Objects, lists, strings, numbers and literals so far; not those of JSON within texts. */
  values = 0;

  constructor(members: TextMembers, visitor: TextVisitor) {
    this.#members = members;
    this.#visitor = visitor;
  }

  /** @param parent the name of the member that holds the value, or the list that it is in */
  walk(value: unknown, parent: string, meaning: TextMeaning | undefined, run: number): unknown {
    this.values += 1;
    if (typeof value === 'string') return this.#string(value, meaning, run);
    if (Array.isArray(value)) return this.#list(value, parent, meaning);
    if (isRawNumber(value)) return meaning === 'data' ? this.#number(value, value.rawJSON) : value;
    if (isObject(value)) return this.#object(value, parent, meaning, run);
    return typeof value === 'number' && meaning === 'data' ? this.#number(value, String(value)) : value;
  }

  readonly path = (): string => {
    let path = '';
    for (const step of this.#path) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += `${path === '' ? '' : '.'}${PLAIN_NAME.test(step) ? step : '*'}`;
    }
    return path;
  };

  #list(list: readonly unknown[], parent: string, meaning: TextMeaning | undefined): readonly unknown[] {
    let changed: unknown[] | undefined;
    let wasPart = false;
    let run = 0;
    for (const [index, entry] of list.entries()) {
      const is = isPart(entry);
      if (is && !wasPart) run = ++this.#runs;
      wasPart = is;
      this.#path.push(index);
      const result = this.walk(entry, parent, meaning, is ? run : 0);
      this.#path.pop();
      if (result === entry) continue;
      changed ??= [...list];
      changed[index] = result;
    }
    return changed ?? list;
  }

  #object(object: JsonObject, parent: string, meaning: TextMeaning | undefined, run: number): JsonObject {
    const isData = meaning === 'data' || meaning === 'json';
    let isChanged = false;
    const names = Object.keys(object);
    const entries: [string, unknown][] = [];
    for (const name of names) {
      const value = object[name];
      this.#path.push(name);
      const newName = isData || !PLAIN_NAME.test(name) ? this.#visitor.text(name, 'name', 0, this.path) : name;
      const own = isData ? 'data' : this.#meaningOf(object, parent, name);
      const result = value === undefined ? value : this.walk(value, name, own, own === 'part' ? run : 0);
      this.#path.pop();
      if (newName !== name || result !== value) isChanged = true;
      entries.push([newName, result]);
    }
    return isChanged ? Object.fromEntries(makeUnique(entries, names)) : object;
  }

  #meaningOf(object: JsonObject, parent: string, name: string): TextMeaning | undefined {
    const meaning = meaningOf(this.#members, parent, name);
    return meaning === 'bytes' && object['type'] === 'text' ? undefined : meaning;
  }

  #string(text: string, meaning: TextMeaning | undefined, run: number): string {
    switch (meaning) {
      case 'word':
        return WORD.test(text) ? text : this.#text(text);
      case 'json':
        return this.#json(text);
      case 'signed':
        return text === '' ? text : this.#visitor.text(text, 'signed', 0, this.path);
      case 'bytes':
        return BASE64.test(text) || DATA_URL.test(text) ? this.#unreadable(text, 'media') : this.#text(text);
      case 'encrypted':
        return this.#encrypted(text);
      case 'link':
        return DATA_URL.test(text) ? this.#unreadable(text, 'media') : this.#text(this.#unreadable(text, 'references'));
      case 'reference':
        return this.#text(this.#unreadable(text, 'references'));
      default:
        return this.#text(text, run);
    }
  }

  #text(text: string, run = 0): string {
    return text === '' ? text : this.#visitor.text(text, 'text', run, this.path);
  }

  #unreadable(text: string, kind: Unreadable): string {
    if (text !== '') this.#visitor.unreadable?.(kind, this.path);
    return text;
  }

  #number(value: unknown, digits: string): unknown {
    return this.#visitor.text(digits, 'number', 0, this.path) === digits ? value : 0;
  }

  /** A summary of the gateway's own is text. */
  #encrypted(text: string): string {
    const summary = openSummary(text);
    if (summary === undefined) return BASE64.test(text) ? this.#unreadable(text, 'encrypted') : this.#text(text);
    const changed = this.#text(summary);
    return changed === summary ? text : sealSummary(changed);
  }

  /** Texts that are no JSON, or nested too deep for translations, which take them as text too, are text. */
  #json(text: string): string {
    const value = parseExactJson(text);
    if (typeof value !== 'object' || value === null || isDeeper(value, MAX_DEPTH)) return this.#text(text);
    const { values } = this;
    const changed = this.walk(value, '', 'data', 0);
    this.values = values;
    return changed === value ? text : JSON.stringify(changed);
  }
}

/** Gives the changed names numbers where an object would have two of them. */
function makeUnique(
  entries: readonly (readonly [string, unknown])[],
  names: readonly string[],
): readonly (readonly [string, unknown])[] {
  if (new Set(entries.map(([name]) => name)).size === entries.length) return entries;
  const used = new Set(names);
  let number = 0;
  return entries.map(([name, value], index) => {
    if (name === names[index]) return [name, value];
    let unique = name;
    while (used.has(unique)) unique = `${name} ${(number += 1)}`;
    used.add(unique);
    return [unique, value];
  });
}

/**
 * Visits every text of a request or a response in JSON: strings, names of members, numbers among data.
 * @returns the value with the texts that the visitor has changed, the same if it has changed none, and how many
 * objects, lists, strings, numbers and literals it has
 */
export function walkTexts<T>(
  value: T,
  members: TextMembers,
  visitor: TextVisitor,
): { readonly value: T; readonly values: number } {
  const walk = new TextWalk(members, visitor);
  return { value: walk.walk(value, '', undefined, 0) as T, values: walk.values };
}
