import { GatewayError, readDuration, type Headers } from '../../core/api/index.ts';
import { defaults } from './schema.ts';

/** The plugin's `config` as it is written, without defaults. */
export interface AuthOptions {
  readonly failures?: boolean | { readonly limit?: number; readonly per?: string; readonly block?: string };
  readonly remote?: {
    readonly url: string;
    readonly headers?: Headers;
    readonly timeout?: string;
    readonly cache?: string;
    readonly grace?: string;
  };
}

/** `limit` wrong keys within `perMs` block an address for `blockMs`. */
export interface FailureRule {
  readonly limit: number;
  readonly perMs: number;
  readonly blockMs: number;
}

/** The remote key service. */
export interface RemoteSettings {
  readonly url: string;
  readonly headers: Headers;
  readonly timeoutMs: number;
  readonly cacheMs: number;
  readonly graceMs: number;
}

/** @throws GatewayError `KOINE_CONFIG_INVALID` */
const readBetween = (name: string, text: string, min: string, max: string): number => {
  const milliseconds = readDuration(text);
  if (milliseconds >= readDuration(min) && milliseconds <= readDuration(max)) return milliseconds;
  throw new GatewayError('KOINE_CONFIG_INVALID', `${name} must be a duration between ${min} and ${max}, not ${text}.`);
};

const readUrl = (url: string): string => {
  if (URL.canParse(url)) return url;
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    'remote.url must be a complete URL, such as https://keys.internal/check.',
  );
};

const readPer = (per: string): number => readBetween('failures.per', per, '1s', '1d');
const readBlock = (block: string): number => readBetween('failures.block', block, '1s', '1d');
const readTimeout = (timeout: string): number => readBetween('remote.timeout', timeout, '10ms', '1m');

const ruleOf = (failures: AuthOptions['failures']) => ({
  ...defaults.failures,
  ...(typeof failures === 'object' ? failures : {}),
});

/** @returns undefined when `failures` is off @throws GatewayError `KOINE_CONFIG_INVALID` */
export function readFailureRule({ failures }: AuthOptions): FailureRule | undefined {
  if (failures === false) return undefined;
  const { limit, per, block } = ruleOf(failures);
  return { limit, perMs: readPer(per), blockMs: readBlock(block) };
}

/** @returns undefined without a key service @throws GatewayError `KOINE_CONFIG_INVALID` */
export function readRemoteSettings({ remote }: AuthOptions): RemoteSettings | undefined {
  if (remote === undefined) return undefined;
  const { url, headers = {}, timeout, cache, grace } = { ...defaults.remote, ...remote };
  return {
    url: readUrl(url),
    headers,
    timeoutMs: readTimeout(timeout),
    cacheMs: readDuration(cache),
    graceMs: readDuration(grace),
  };
}

/** Functions that read one setting each, by its path, and throw when its value is invalid. */
export function settingReaders({ failures, remote }: AuthOptions): Readonly<Record<string, () => unknown>> {
  const { per, block } = ruleOf(failures);
  const rule = { 'failures.per': () => readPer(per), 'failures.block': () => readBlock(block) };
  if (remote === undefined) return rule;
  const { url, timeout } = { ...defaults.remote, ...remote };
  return { ...rule, 'remote.url': () => readUrl(url), 'remote.timeout': () => readTimeout(timeout) };
}
