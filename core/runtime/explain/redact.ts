import { redactBody, redactSecrets } from '../../canonical/redact.ts';
import { describeConfig, type Described } from '../../config/describe-config.ts';
import { createMaskTexts } from './mask-texts.ts';

/**
 * Masks in plain data whatever the configuration keeps secret, all headers that are set there among it, and what looks like a credential.
 * Those of the configuration are known here alone: a header may well hold a common word.
 */
export const createRedact = (loaded: Described): (<T>(data: T) => T) => {
  const secrets = new Set<string>();
  describeConfig(loaded, (secret) => {
    secrets.add(secret.trim());
    return '';
  });
  const mask = createMaskTexts(secrets);
  return <T>(data: T) => redactBody(data, (text) => redactSecrets(mask(text))) as T;
};
