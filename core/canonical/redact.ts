import { isObject } from './members.ts';

/** Text that looks like a credential or an account, e.g. in "Incorrect API key provided: sk-ab***". */
const SECRETS = /\bsk[-_][\w*-]{4,}|\b(?:pk|rk|gsk|xai|org|proj)[-_][\w*-]{8,}|\bAIza[\w-]{10,}|\bBearer\s+\S+/gi;

/** From this length on a secret is one wherever it stands; a shorter one could be a piece of a word, so it has to stand alone. */
const LONG = 8;
const SHORTEST = 4;
/** `none`, `ollama`: the placeholders of who needs no key, and words of sentences. */
const WORD = /^[a-z]+$/i;

/** Those of this process. Keys of many vendors look like nothing in particular. */
let known: readonly string[] = [];
let anyKnown: RegExp | undefined;

const isSecret = (text: string): boolean => text.length >= LONG || (text.length >= SHORTEST && !WORD.test(text));
const patternOf = (secret: string): string => (secret.length >= LONG ? RegExp.escape(secret) : `(?<!\\w)${RegExp.escape(secret)}(?!\\w)`);

/** From now on these are secrets, whatever they look like. Called at load, and at each reload: what was one stays one. */
export const knowSecrets = (secrets: Iterable<string>): void => {
  // The longest first: one may be the beginning of another.
  known = [...new Set([...known, ...secrets])].filter(isSecret).sort((one, other) => other.length - one.length);
  anyKnown = known.length === 0 ? undefined : new RegExp(known.map(patternOf).join('|'), 'g');
};

/** Vendors repeat keys, or parts of them, in their messages; none may reach a client, a log or a fixture. */
export const redactSecrets = (text: string): string => (anyKnown === undefined ? text : text.replaceAll(anyKnown, '[redacted]')).replaceAll(SECRETS, '[redacted]');

/** The same for all texts and names of a parsed body; one without secrets comes back as it is. */
export const redactBody = (body: unknown, redact: (text: string) => string = redactSecrets): unknown => {
  if (typeof body === 'string') return redact(body);
  if (Array.isArray(body)) return keepSame(body, body.map((item) => redactBody(item, redact)));
  if (!isObject(body)) return body;
  const entries = Object.entries(body);
  const redacted = entries.map(([name, value]) => [redact(name), redactBody(value, redact)] as const);
  return redacted.every(([name, value], index) => name === entries[index]?.[0] && value === entries[index]?.[1]) ? body : Object.fromEntries(redacted);
};
const keepSame = (list: readonly unknown[], redacted: readonly unknown[]): readonly unknown[] => (redacted.every((item, index) => item === list[index]) ? list : redacted);
