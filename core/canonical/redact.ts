/** Text that looks like a credential or an account, e.g. in "Incorrect API key provided: sk-ab***". */
const SECRETS = /\bsk[-_][\w*-]{4,}|\b(?:pk|rk|gsk|xai|org|proj)[-_][\w*-]{8,}|\bAIza[\w-]{10,}|\bBearer\s+\S+/gi;

/** What is shorter is a placeholder, and would take words out of sentences. */
const SHORTEST = 8;
/** Of this process, the longest first: one may be the beginning of another. Keys of many vendors look like nothing in particular. */
let known: readonly string[] = [];

/** From now on these are secrets wherever they stand, whatever they look like. Called at load. */
export const knowSecrets = (secrets: Iterable<string>): void => {
  known = [...new Set([...known, ...secrets])].filter(({ length }) => length >= SHORTEST).sort((one, other) => other.length - one.length);
};

/** Vendors repeat keys, or parts of them, in their messages; none may reach a client, a log or a fixture. */
export const redactSecrets = (text: string): string => known.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text).replaceAll(SECRETS, '[redacted]');

/** The same for a parsed body; one without secrets comes back as it is. */
export const redactBody = (body: unknown): unknown => {
  if (typeof body === 'string') return redactSecrets(body);
  const text = JSON.stringify(body) ?? '';
  const redacted = redactSecrets(text);
  return redacted === text ? body : (JSON.parse(redacted) as unknown);
};
