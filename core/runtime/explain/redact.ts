import { redactBody, redactSecrets } from '../../canonical/redact.ts';
import { describeConfig, type Described } from '../../config/describe-config.ts';

const MASK = '***';
/** From this length on a secret is one wherever it stands; a shorter one could be a piece of a word. */
const LONG = 8;

/**
 * Masks in plain data whatever the configuration keeps secret, all headers that are set there among it, and what looks like a credential.
 * Those of the configuration are known here alone: a header may well hold a common word.
 */
export const createRedact = (loaded: Described): (<T>(data: T) => T) => {
  const secrets = new Set<string>();
  describeConfig(loaded, (secret) => {
    secrets.add(secret.trim());
    return MASK;
  });
  // The longest first: one may be the beginning of another.
  const long = [...secrets].filter(({ length }) => length >= LONG).sort((one, other) => other.length - one.length);
  const anyLong = long.length === 0 ? undefined : new RegExp(long.map((secret) => RegExp.escape(secret)).join('|'), 'g');
  const redact = (text: string): string => {
    if (secrets.has(text)) return MASK;
    return redactSecrets(anyLong === undefined ? text : text.replaceAll(anyLong, MASK));
  };
  return <T>(data: T) => redactBody(data, redact) as T;
};
