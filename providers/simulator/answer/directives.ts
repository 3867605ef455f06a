import { invalidRequest, type AnyErrorCode, type Finish } from '../../../core/api/index.ts';
import { lookUp } from '../../../core/api/codec.ts';
import { errorCodes } from '../../../core/api/internal.ts';
import type { Fault, Settings } from '../settings.ts';

/** Returns what one key changes, given the settings so far. */
type ReadDirective = (value: string, settings: Settings) => Partial<Settings>;
type Pair = readonly [key: string, value: string];

const finishReasons: readonly Finish['reason'][] = [
  'stop',
  'stop_sequence',
  'length',
  'tool_calls',
  'content_filter',
  'refusal',
  'pause',
  'context_overflow',
];

const invalidDirective = (key: string, value: string, expected: string) =>
  invalidRequest(key, `The simulator's directive '${key}' must be ${expected}, not '${value}'.`);

const parseInteger = (key: string, value: string, min: number, max: number): number => {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw invalidDirective(key, value, `an integer between ${min} and ${max}`);
};

const readFault =
  (kind: Fault['kind']): ReadDirective =>
  (value) => {
    if (value === 'before') return { fault: { kind, at: 'before' } };
    if (value.startsWith('after:'))
      return { fault: { kind, at: parseInteger(kind, value.slice('after:'.length), 0, 1_000_000) } };
    throw invalidDirective(kind, value, `'before' or 'after:N'`);
  };

const readPinned =
  (key: string, count: keyof NonNullable<Settings['pinned']>): ReadDirective =>
  (value, { pinned }) => ({
    pinned: { ...pinned, [count]: parseInteger(key, value, 0, 1_000_000_000) },
  });

const isErrorCode = (value: string): value is AnyErrorCode =>
  Object.hasOwn(errorCodes, value) && !value.startsWith('KOINE_');

const directives: Readonly<Record<string, ReadDirective>> = {
  pace: (value) => ({ pace: parseInteger('pace', value, 0, 60_000) }),
  words: (value) => ({ words: parseInteger('words', value, 1, 1_000_000) }),
  delay: (value) => ({ delay: parseInteger('delay', value, 0, 600_000) }),
  status: (value) => ({ status: parseInteger('status', value, 400, 599) }),
  code: (value) => {
    if (isErrorCode(value)) return { code: value };
    throw invalidDirective('code', value, 'one of the error codes that clients can meet');
  },
  message: (value) => ({ message: value }),
  retryAfter: (value) => ({ retryAfter: parseInteger('retryAfter', value, 0, 86_400) }),
  error: readFault('error'),
  cut: readFault('cut'),
  reset: readFault('reset'),
  hang: readFault('hang'),
  refusal: (value) => ({ refusal: parseInteger('refusal', value, 0, 1) === 1 }),
  finish: (value) => {
    const reason = finishReasons.find((known) => known === value);
    if (reason === undefined) throw invalidDirective('finish', value, `one of ${finishReasons.join(', ')}`);
    return { finish: reason };
  },
  usage: (value) => {
    if (value === 'none') return { usage: false };
    throw invalidDirective('usage', value, `'none'`);
  },
  inputTokens: readPinned('inputTokens', 'inputUncached'),
  cacheReadTokens: readPinned('cacheReadTokens', 'cacheRead'),
  cacheWriteTokens: readPinned('cacheWriteTokens', 'cacheWrite5m'),
  cacheWrite1hTokens: readPinned('cacheWrite1hTokens', 'cacheWrite1h'),
  outputTokens: readPinned('outputTokens', 'output'),
  reasoningTokens: readPinned('reasoningTokens', 'reasoning'),
};

const applyPairs = (pairs: Iterable<Pair>, settings: Settings): Settings => {
  let result = settings;
  for (const [key, value] of pairs) {
    const read = lookUp(directives, key);
    if (read === undefined)
      throw invalidRequest(
        key,
        `The simulator has no directive '${key}'. The directives are: ${Object.keys(directives).join(', ')}.`,
      );
    result = { ...result, ...read(value, result) };
  }
  return result;
};

/**
 * `chat?status=429&message=Slow+down`: the part after the question mark, written as a query.
 * @throws GatewayError 400 naming a key that is unknown or has a wrong value
 */
export function parseModelName(model: string, settings: Settings) {
  const mark = model.indexOf('?');
  if (mark < 0) return { name: model, settings };
  return { name: model.slice(0, mark), settings: applyPairs(new URLSearchParams(model.slice(mark + 1)), settings) };
}

const DIRECTIVE_START = '[[simulator';
const DIRECTIVE = /\[\[simulator\b([^\]]*)\]\]/g;
/** `key=value` or `key="several words"`. Anything else is read as a key, so that the error names it. */
const WORD = /([^\s=]+)(?:=(?:"([^"]*)"|(\S*)))?/g;

/**
 * `Hello [[simulator status=429 message="Slow down"]]`: the settings with these directives, and the text without them.
 * @throws GatewayError 400 naming a key that is unknown or has a wrong value
 */
export function parseUserText(text: string, settings: Settings) {
  if (!text.includes(DIRECTIVE_START)) return { text, settings };
  const found = [...text.matchAll(DIRECTIVE)].flatMap(([, words = '']) =>
    [...words.matchAll(WORD)].map(([, key = '', quoted, plain]): Pair => [key, quoted ?? plain ?? '']),
  );
  return { text: text.replaceAll(DIRECTIVE, '').trim(), settings: applyPairs(found, settings) };
}
