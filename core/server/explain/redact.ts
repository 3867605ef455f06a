import { redactBody } from '../../canonical/text/redact-body.ts';
import { redactSecrets } from '../../canonical/text/redact.ts';
import { describeConfig, type Described } from '../../config/write/describe-config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { maskUrlSecrets } from '../../config/secrets/mask-secrets.ts';

const MASK = '***';
/** A shorter secret is masked only as a whole text: inside another text it could be part of a word. */
const LONG = 8;

/** Masks these secrets in a text. Its time does not grow with their number: a configuration may have 100,000 keys. */
export function createMaskTexts(secrets: ReadonlySet<string>): (text: string) => string {
  // The longest first: a secret may begin with another.
  const long = [...secrets].filter(({ length }) => length >= LONG).sort((one, other) => other.length - one.length);
  const byStart = Map.groupBy(long, (secret) => secret.slice(0, LONG));
  return (text) => {
    if (secrets.has(text)) return MASK;
    let masked = '';
    let from = 0;
    let at = 0;
    while (at + LONG <= text.length) {
      const start = at;
      const found = byStart.get(text.slice(start, start + LONG))?.find((secret) => text.startsWith(secret, start));
      if (found === undefined) at += 1;
      else {
        masked += text.slice(from, at) + MASK;
        at += found.length;
        from = at;
      }
    }
    return masked + text.slice(from);
  };
}

const ADDRESS = /^https?:\/\//i;

/** A variable in the settings of an extension may be a secret. Of an address, only its credentials are. */
const findSecrets = (loaded: Described & Pick<LoadedConfig, 'interpolatedOptions'>): ReadonlySet<string> => {
  const secrets = new Set<string>();
  const keep = (secret: string): string => {
    if (ADDRESS.test(secret)) maskUrlSecrets(secret, keep);
    else secrets.add(secret.trim());
    return '';
  };
  describeConfig(loaded, keep, loaded.interpolatedOptions);
  return secrets;
};

/**
 * Masks the secrets of the configuration in plain data, including all headers that are set there, and whatever looks
 * like a credential.
 */
export function createRedact(loaded: Described & Pick<LoadedConfig, 'interpolatedOptions'>): <T>(data: T) => T {
  const mask = createMaskTexts(findSecrets(loaded));
  return <T>(data: T) => redactBody(data, (text) => redactSecrets(mask(text))) as T;
}
