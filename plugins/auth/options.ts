import { GatewayError, readDuration, type Headers } from '../../core/index.ts';
import { defaults } from './schema.ts';

/** `config` of the plugin, as it is written. */
export interface AuthOptions {
  readonly failures?: boolean | { readonly limit?: number; readonly per?: string; readonly block?: string };
  readonly remote?: { readonly url: string; readonly headers?: Headers; readonly timeout?: string; readonly cache?: string; readonly grace?: string };
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

const SECOND = 1_000;
const DAY = 86_400_000;

/** @throws GatewayError `KOINE_CONFIG_INVALID` */
const readWindow = (name: string, text: string): number => {
  const milliseconds = readDuration(text);
  if (milliseconds >= SECOND && milliseconds <= DAY) return milliseconds;
  throw new GatewayError('KOINE_CONFIG_INVALID', `failures.${name} is ${text}; write a length of time between 1s and 1d.`);
};

/** undefined: switched off. @throws GatewayError `KOINE_CONFIG_INVALID` */
export const readFailureRule = ({ failures = true }: AuthOptions): FailureRule | undefined => {
  if (failures === false) return undefined;
  const { limit, per, block } = { ...defaults.failures, ...(failures === true ? {} : failures) };
  return { limit, perMs: readWindow('per', per), blockMs: readWindow('block', block) };
};

/** undefined: there is none. @throws GatewayError `KOINE_CONFIG_INVALID` */
export const readRemoteSettings = ({ remote }: AuthOptions): RemoteSettings | undefined => {
  if (remote === undefined) return undefined;
  const { url, headers = {}, timeout, cache, grace } = { ...defaults.remote, ...remote };
  if (!URL.canParse(url)) throw new GatewayError('KOINE_CONFIG_INVALID', 'remote.url is not the URL of a service; write all of it, like https://keys.internal/check.');
  return { url, headers, timeoutMs: readDuration(timeout), cacheMs: readDuration(cache), graceMs: readDuration(grace) };
};
