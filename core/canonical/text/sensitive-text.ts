import { longestCard, longestIban } from './check-digits.ts';

/** A place in a text. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds texts of one kind. */
export interface TextDetector {
  /** The length of the longest text that it finds. */
  readonly maxLength: number;
  /**
   * In order, without overlaps. The time is linear in the length of the text.
   * @param from where the search begins; what is before it is only looked at
   */
  find(text: string, from?: number): readonly Span[];
}

// Each repetition has a bound, and no place within a run of the same characters begins a search anew: the time of the
// patterns is linear in the length of the text.

/** Keys of vendors and clouds, tokens of version control and chat. */
const API_KEYS = new RegExp(
  `(?<![A-Za-z0-9_-])(?:${[
    'sk-[\\w-]{20,200}',
    '(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,200}',
    'koine_[0-9a-z]{8}_[0-9a-z]{6,64}',
    'AIza[\\w-]{35}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}',
    '(?:gsk|xai|pplx|nvapi|csk|tgp|hf|r8|npm)[-_][\\w-]{20,200}',
    'gh[opsur]_[A-Za-z0-9]{36,200}',
    'github_pat_\\w{40,200}',
    'glpat-[\\w-]{20,200}',
    'xox[abeoprs]-[\\w-]{10,200}',
    'ya29\\.[\\w-]{20,200}',
  ].join('|')})(?![A-Za-z0-9])`,
  'g',
);
/** JSON web tokens. */
const SIGNED_TOKENS = /(?<![\w-])eyJ[\w-]{10,1000}\.eyJ[\w-]{10,1000}\.[\w-]{10,500}(?![\w-])/g;
/** Line ends can be those of JSON within JSON. A key without its last line is found as well. */
const KEY_NAME = '(?:[A-Z0-9]{1,10} ){0,3}PRIVATE KEY-----';
const PRIVATE_KEYS = new RegExp(
  `-----BEGIN ${KEY_NAME}(?:[A-Za-z0-9+/=:,\\s\\\\-](?!-{4}END)){0,4000}(?:.?-{4,5}END ${KEY_NAME})?`,
  'gs',
);
const EMAILS = /(?<![\w.%+-])[\w%+-][\w.%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![\w-])/g;
const CARDS = /(?<!\d[ -]?)\d(?:[ -]?\d){12,18}(?!\d)/g;
const IBANS = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])/g;

const longestMatch = {
  apiKeys: 212,
  signedTokens: 2_508,
  privateKeys: 4_150,
  emails: 345,
  cards: 37,
  ibans: 64,
} as const;

/** @param validLength the length of the longest beginning that is valid; 0: none is */
const detect = (pattern: RegExp, maxLength: number, validLength?: (text: string) => number): TextDetector => ({
  maxLength,
  find: (text, from = 0) => {
    const spans: Span[] = [];
    pattern.lastIndex = from;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const length = validLength === undefined ? found.length : validLength(found);
      if (length > 0) spans.push({ start: index, end: index + length });
    }
    return spans;
  },
});

/** Detectors of secrets and of common personal data, by the names that settings have for them. */
export const sensitiveText = {
  'api-keys': detect(API_KEYS, longestMatch.apiKeys),
  'signed-tokens': detect(SIGNED_TOKENS, longestMatch.signedTokens),
  'private-keys': detect(PRIVATE_KEYS, longestMatch.privateKeys),
  'emails': detect(EMAILS, longestMatch.emails),
  'card-numbers': detect(CARDS, longestMatch.cards, longestCard),
  'ibans': detect(IBANS, longestMatch.ibans, longestIban),
} satisfies Readonly<Record<string, TextDetector>>;

export type SensitiveKind = keyof typeof sensitiveText;

/** Unites spans that overlap or touch. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** Replaces spans of a text, which are in order and do not overlap. */
export function replaceSpans(text: string, spans: readonly Span[], replacement: string): string {
  let shown = '';
  let from = 0;
  for (const { start, end } of spans) {
    shown += text.slice(from, start) + replacement;
    from = end;
  }
  return from === 0 ? text : shown + text.slice(from);
}
