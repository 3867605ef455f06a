import { hash } from 'node:crypto';
import { composeIdentify, type Identify } from '../../../core/exchange/authenticate.ts';
import type {
  Caller,
  KeyDirectory,
  KeyRecord,
  Metrics,
  RequestHead,
  Services,
  WireName,
} from '../../../core/api/index.ts';
import { createTestHead, createTestServices } from '../../../core/testing/index.ts';
import auth from '../../../plugins/auth/index.ts';
import type { AuthOptions } from '../../../plugins/auth/options.ts';

export const now = 1_000_000;
export const alice: Caller = { key: 'alice', project: 'web', organization: 'acme', models: ['openai/*'] };

export const digestOf = (text: string): Uint8Array => hash('sha256', text, 'buffer');
export const createRecord = (text: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  caller: alice,
  digest: digestOf(text),
  disabled: false,
  ...more,
});

/** A synchronous directory of these keys that records its lookups. */
export const createKnownKeys = (
  records: Readonly<Record<string, KeyRecord>>,
): KeyDirectory & { readonly lookups: string[] } => {
  const lookups: string[] = [];
  return {
    lookups,
    find: ({ digest, text }) => {
      lookups.push(text);
      return Object.values(records).find((record) => Buffer.from(record.digest).equals(digest));
    },
  };
};

/** Metrics that record counts by the values of their labels. */
const createCounts = (): { readonly metrics: Metrics; readonly counts: Record<string, number> } => {
  const counts: Record<string, number> = {};
  const bind = (values: readonly string[]) => (value: number) =>
    void (counts[values.join()] = (counts[values.join()] ?? 0) + value);
  return { counts, metrics: { ...createTestServices().metrics, counter: () => ({ bind }) } };
};

export interface TestAuth {
  readonly identify: Identify;
  /** All log lines: fields and texts. */
  readonly logged: unknown[];
  /** Failures by reason. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Creates the plugin over a directory, and identifies callers as an exchange does. */
export const createAuth = async (
  keys: KeyDirectory,
  options: AuthOptions = {},
  given: Partial<Services> = {},
): Promise<TestAuth> => {
  const logged: unknown[] = [];
  const write = (fields: object, text: string): void => {
    logged.push(fields, text);
  };
  const { metrics, counts } = createCounts();
  const services = createTestServices({
    log: { info: write, warn: write, error: write },
    clock: { now: () => now, monotonic: () => now },
    keys,
    metrics,
    ...given,
  });
  const instance = await auth.create(options, services);
  return { identify: composeIdentify([instance]), logged, failures: counts };
};

export const createHead = (
  headers: Readonly<Record<string, string>>,
  wire: WireName = 'chat-completions',
  query: Readonly<Record<string, string>> = {},
): RequestHead => createTestHead({ route: { path: '/', operation: 'generate', wire }, path: '/', headers, query });

/** The outcome of `identify`: the caller, or the error that was thrown. */
export const settle = async (action: () => unknown): Promise<unknown> => {
  try {
    return await action();
  } catch (error) {
    return error;
  }
};
