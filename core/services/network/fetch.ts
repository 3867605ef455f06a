import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import type { ExtendOptions } from 'got';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Fetch } from '../../contracts/services.ts';
import { createCheckedLookup, type Resolve } from './checked-lookup.ts';
import { isAllowableAddress } from '../media/addresses.ts';
import { Agent as HttpAgent } from './node-http.ts';

const ANSWER_BYTES = 1_048_576;
/** Given up before the other side does: most servers keep an idle connection for 5 s, and one that closes just now costs a call. */
const IDLE_MS = 4_000;
/** To one service at once: what waits behind a service that hangs is bounded by its time limit. */
const SOCKETS = 64;

const forbidden = (): Error => new Error('its address is where a cloud hands out credentials, or it has none');

/** An address is connected to without a lookup. */
const checkLiteral = ({ hostname }: URL): void => {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(address) !== 0 && !isAllowableAddress(address)) throw forbidden();
};

/**
 * Calls to services that the operator named: key services, webhooks. They may stand inside, but never at an address that hands out
 * credentials. Connections are kept; no proxy of the environment stands between.
 */
export function createFetch(resolve?: Resolve): Fetch {
  const kept = { keepAlive: true, timeout: IDLE_MS, maxSockets: SOCKETS };
  const options: ExtendOptions = {
    agent: { http: new HttpAgent(kept), https: new HttpsAgent(kept) },
    decompress: false,
    dnsLookup: createCheckedLookup(isAllowableAddress, forbidden, resolve),
    followRedirect: false,
    headers: { 'user-agent': 'koine', 'accept-encoding': 'identity' },
    retry: { limit: 0 },
    throwHttpErrors: false,
  };
  /** Most gateways call no service: got is imported with the first call. */
  const open = async () => {
    const { default: got } = await import('got');
    return got.extend(options);
  };
  let client: ReturnType<typeof open> | undefined;

  const exchange: Fetch = async (
    url,
    { method = 'GET', headers = {}, body = method === 'POST' ? '' : undefined, timeoutMs },
  ) => {
    checkLiteral(new URL(url));
    client ??= open();
    const stream = (await client).stream(
      url,
      omitUndefined({
        method,
        headers: { ...headers },
        timeout: { request: timeoutMs },
        body,
      }),
    );
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.byteLength;
      if (length > ANSWER_BYTES) throw new Error(`its answer is larger than ${ANSWER_BYTES} bytes`);
      chunks.push(chunk);
    }
    return { status: stream.response?.statusCode ?? 0, body: Buffer.concat(chunks) };
  };

  return async (url, options) => {
    const { origin } = new URL(url);
    try {
      return await exchange(url, options);
    } catch (thrown) {
      // oxlint-disable-next-line eslint/preserve-caught-error -- got's error carries the request, and with it the operator's secrets
      throw new Error(`${origin} gave no answer: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  };
}

export const fetchService: Fetch = createFetch();
