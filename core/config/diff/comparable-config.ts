import { createHmac, randomBytes } from 'node:crypto';
import type { JsonObject } from '../../canonical/wire.ts';
import { describeConfig, type Described } from '../write/describe-config.ts';
import type { LoadedConfig } from '../load.ts';

/**
 * A configuration without secrets, in which another secret is seen to be another: by its mask, in whatever has the same
 * salt.
 */
export interface ComparableConfig {
  /** As an operator would write it, with every default. */
  readonly config: JsonObject;
  readonly salt: string;
}

/** So few digits tell that a secret is another, and too little of what it is. */
const DIGITS = 4;

/** One for this process: asking again tells nothing more about a secret. */
const OWN_SALT = randomBytes(16).toString('hex');

/** @param salt of what it is to be compared with; absent: of this process */
export const describeComparable = (
  loaded: Described & Pick<LoadedConfig, 'interpolatedOptions'>,
  salt: string = OWN_SALT,
): ComparableConfig => ({
  config: describeConfig(
    loaded,
    (secret) => `***${createHmac('sha256', salt).update(secret).digest('hex').slice(0, DIGITS)}`,
    loaded.interpolatedOptions,
  ),
  salt,
});
