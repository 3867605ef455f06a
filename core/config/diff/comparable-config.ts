import { createHmac, randomBytes } from 'node:crypto';
import type { JsonObject } from '../../canonical/wire.ts';
import { describeConfig, type Described } from '../write/describe-config.ts';
import type { LoadedConfig } from '../load.ts';

/**
 * A configuration with masked secrets. With the same salt, equal secrets have equal masks, and different ones mostly
 * not.
 */
export interface ComparableConfig {
  /** In the form of the file, with every default. */
  readonly config: JsonObject;
  readonly salt: string;
}

/** Enough hex digits to detect a changed secret. They help to guess a weak one, so only admins see them. */
const DIGITS = 4;

/** One salt per process: repeated requests reveal no more about a secret. */
const OWN_SALT = randomBytes(16).toString('hex');

/** @param salt that of the configuration to compare with; by default that of this process */
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

/** The same for those who may not compare secrets, which would help them to guess weak ones. */
export const describeMasked = (loaded: Described & Pick<LoadedConfig, 'interpolatedOptions'>): JsonObject =>
  describeConfig(loaded, () => '***', loaded.interpolatedOptions);
