import { parseJson } from '../../../framing/json.ts';
import { ScimError } from './scim-error.ts';

/** A parsed filter. Paths are in lower case: `username`, `members.value`. */
export type Filter =
  | { readonly kind: 'compare'; readonly path: string; readonly equal: boolean; readonly value: FilterValue }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter };

export type FilterValue = string | boolean | null;

/** Bounds of the work of one filter. */
const MAX_LENGTH = 2_000;
const MAX_COMPARISONS = 20;
const MAX_DEPTH = 10;

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;
const PATH = /^(?:urn:[\w.:-]+:)?([a-z$][\w$.-]*)$/i;
const CONTROL = /\p{Cc}/u;

const refuse = (message: string): ScimError => new ScimError('invalidFilter', message);

const tokenize = (text: string): readonly string[] => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (found === null) throw refuse('The filter has a text that does not end.');
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
  }
  return tokens;
};

class FilterParser {
  readonly #tokens: readonly string[];
  #at = 0;
  #comparisons = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text.trim());
  }

  parse(): Filter {
    const filter = this.#either('', 0);
    if (this.#at < this.#tokens.length) throw this.#unexpected();
    return filter;
  }

  /** `or` binds less than `and`. @param prefix of the paths within brackets: `members.` */
  #either(prefix: string, depth: number): Filter {
    return this.#joined('or', () => this.#joined('and', () => this.#single(prefix, depth)));
  }

  #joined(kind: 'and' | 'or', next: () => Filter): Filter {
    const first = next();
    const parts = [first];
    while (this.#skip(kind)) parts.push(next());
    return parts.length === 1 ? first : { kind, parts };
  }

  #single(prefix: string, depth: number): Filter {
    if (depth > MAX_DEPTH) throw refuse(`The filter is nested deeper than ${MAX_DEPTH} levels.`);
    if (this.#skip('not')) {
      this.#expect('(');
      return { kind: 'not', part: this.#inner(prefix, depth, ')') };
    }
    if (this.#skip('(')) return this.#inner(prefix, depth, ')');
    const path = this.#path(prefix);
    if (prefix === '' && this.#skip('[')) return this.#inner(`${path}.`, depth, ']');
    return this.#comparison(path);
  }

  #inner(prefix: string, depth: number, end: string): Filter {
    const filter = this.#either(prefix, depth + 1);
    this.#expect(end);
    return filter;
  }

  #path(prefix: string): string {
    const name = PATH.exec(this.#tokens[this.#at] ?? '')?.[1];
    if (name === undefined) throw this.#unexpected();
    this.#at += 1;
    return prefix + name.toLowerCase();
  }

  #comparison(path: string): Filter {
    this.#comparisons += 1;
    if (this.#comparisons > MAX_COMPARISONS) throw refuse(`The filter has more than ${MAX_COMPARISONS} comparisons.`);
    if (this.#skip('pr')) return { kind: 'present', path };
    const equal = this.#skip('eq');
    if (!equal && !this.#skip('ne'))
      throw refuse('The operators of a filter are eq, ne, pr, and, or, not: userName eq "ann@acme.example".');
    const token = this.#tokens[this.#at] ?? '';
    const value = parseJson(token);
    if (typeof value !== 'string' && typeof value !== 'boolean' && (value !== null || token !== 'null'))
      throw refuse('The value of a comparison is a text in quotes, true, false or null.');
    if (typeof value === 'string' && CONTROL.test(value))
      throw refuse('A value of the filter has a control character.');
    this.#at += 1;
    return { kind: 'compare', path, equal, value };
  }

  #skip(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  #expect(word: string): void {
    if (!this.#skip(word)) throw this.#unexpected();
  }

  #unexpected(): ScimError {
    return refuse(
      this.#at < this.#tokens.length
        ? `The filter is not valid at its word ${this.#at + 1}.`
        : 'The filter ends too early.',
    );
  }
}

/**
 * Parses a filter of RFC 7644, section 3.4.2.2, with the operators eq, ne, pr, and, or, not, and with brackets. Time
 * and depth are bounded.
 * @throws ScimError `invalidFilter`
 */
export function parseFilter(text: string): Filter {
  if (text.length > MAX_LENGTH) throw refuse(`The filter is longer than ${MAX_LENGTH} characters.`);
  return new FilterParser(text).parse();
}
