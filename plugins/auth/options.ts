import { GatewayError, readDuration, type Headers } from '../../core/index.ts';
import { defaults } from './schema.ts';

/** `config` of the plugin, as it is written. */
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

/** So many wrong keys in `perMs` block an address for `blockMs`. */
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
const readBetween = (name: string, text: string, least: string, most: string): number => {
  const milliseconds = readDuration(text);
  if (milliseconds >= readDuration(least) && milliseconds <= readDuration(most)) return milliseconds;
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    `${name} is ${text}; write a length of time between ${least} and ${most}.`,
  );
};

const readUrl = (url: string): string => {
  if (URL.canParse(url)) return url;
  throw new GatewayError(
    'KOINE_CONFIG_INVALID',
    'remote.url is not the URL of a service; write all of it, like https://keys.internal/check.',
  );
};

const readPer = (per: string): number => readBetween('failures.per', per, '1s', '1d');
const readBlock = (block: string): number => readBetween('failures.block', block, '1s', '1d');
const readTimeout = (timeout: string): number => readBetween('remote.timeout', timeout, '10ms', '1m');

const ruleOf = (failures: AuthOptions['failures']) => ({
  ...defaults.failures,
  ...(typeof failures === 'object' ? failures : {}),
});

/** undefined: switched off. @throws GatewayError `KOINE_CONFIG_INVALID` */
export function readFailureRule({ failures }: AuthOptions): FailureRule | undefined {
  if (failures === false) return undefined;
  const { limit, per, block } = ruleOf(failures);
  return { limit, perMs: readPer(per), blockMs: readBlock(block) };
}

/** undefined: there is none. @throws GatewayError `KOINE_CONFIG_INVALID` */
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

/** What reads each setting, by its path, and throws where it is refused. */
export function settingReaders({ failures, remote }: AuthOptions): Readonly<Record<string, () => unknown>> {
  const { per, block } = ruleOf(failures);
  const rule = { 'failures.per': () => readPer(per), 'failures.block': () => readBlock(block) };
  if (remote === undefined) return rule;
  const { url, timeout } = { ...defaults.remote, ...remote };
  return { ...rule, 'remote.url': () => readUrl(url), 'remote.timeout': () => readTimeout(timeout) };
}
