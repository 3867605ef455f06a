import type { AnyErrorCode } from '../../errors/codes.ts';

/**
 * The stable ids of all findings about a configuration. Each has a section in docs/reference/rules.md and a fixture in
 * test/fixtures/configs that violates it. A test compares the three.
 */
export const rules = [
  // YAML syntax and includes.
  'invalid-yaml',
  'duplicate-key',
  'too-many-aliases',
  'not-a-mapping',
  'unmatched-include',
  'nested-include',
  // Interpolation.
  'unset-variable',
  'invalid-interpolation',
  'unreadable-file',
  'missing-program',
  'literal-variable',
  // Single settings.
  'unknown-key',
  'missing-key',
  'wrong-type',
  'empty-value',
  'invalid-value',
  'out-of-range',
  'duplicate-item',
  'invalid-name',
  'refused-setting',
  // References.
  'unknown-provider',
  'unknown-model',
  'unknown-wire',
  'unknown-project',
  'unspoken-wire',
  'alias-shadows-model',
  'alias-cycle',
  'unserved-route',
  'duplicate-route',
  'reserved-path',
  'unreachable-route',
  'unreachable-model',
  'unused-provider',
  'fixed-target',
  'unmatched-pattern',
  'duplicate-target',
  'duplicate-plugin',
  'no-identification',
  'ineffective-timeout',
  // Keys.
  'missing-secret',
  'ambiguous-secret',
  'digest-as-secret',
  'duplicate-secret',
  'expired-key',
  'shared-vendor-state',
  // Limits and prices.
  'missing-unit',
  'ambiguous-unit',
  'missing-window',
  'unused-window',
  'wrong-window',
  'unused-burst',
  'unused-soft',
  'duplicate-limit',
  'limits-without-plugin',
  'each-without-total',
  'missing-price',
  'unlisted-hosted-tools',
  'implausible-price',
  // Listeners, stores and addresses.
  'admin-without-token',
  'weak-token',
  'plain-text-password',
  'invalid-certificate',
  'expired-certificate',
  'port-conflict',
  'invalid-address',
  'metadata-address',
  'unsupported-database',
  'unsupported-redis',
  // Extensions.
  'gateway-version',
  // Advice of --audit.
  'secret-in-clear',
  'short-secret',
  'key-without-expiry',
  'no-limits',
  'fails-open',
  'public-admin',
  'plain-listener',
  'trusts-everyone',
  'insecure-upstream',
  'open-redis',
  'unverified-tls',
  'unpinned-extension',
] as const;

/** A rule or, for an extension that failed, the code of its error. */
export type Rule = (typeof rules)[number] | AnyErrorCode;
