import { redactBody } from '../../canonical/text/redact-body.ts';
import { redactSecrets } from '../../canonical/text/redact.ts';
import { describeConfig, type Described } from '../../config/write/describe-config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { maskUrlSecrets } from '../../config/secrets/mask-secrets.ts';
import { createMaskTexts } from './mask-texts.ts';

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
