import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import type { ExtendOptions } from 'got';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Fetch } from '../../contracts/services.ts';
import { createCheckedLookup, type Resolve } from './checked-lookup.ts';
import { isAllowableAddress } from '../media/addresses.ts';
import { Agent as HttpAgent } from './node-http.ts';

const ANSWER_BYTES = 1_048_576;
/**
 * Shorter than the server's: most servers keep an idle connection for 5 s, and one that closes at the wrong moment
 * costs a call.
 */
const IDLE_MS = 4_000;
/** Connections per service. Calls that wait behind a service that hangs are bounded by their timeout. */
const SOCKETS = 64;

const forbidden = (): Error =>
  new Error('its address is one at which a cloud hands out credentials, or its name has no address');

/** Connections to an IP address do not use the lookup. */
const checkLiteral = ({ hostname }: URL, permits: (address: string) => boolean): void => {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(address) !== 0 && !permits(address)) throw forbidden();
};

const readBody = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > ANSWER_BYTES) throw new Error(`the response is larger than ${ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Calls services that the operator configured: key services, webhooks. They can be in a private network, but never at
 * an address that hands out credentials. Connections are reused; proxy variables of the environment are ignored.
 * @param permits whether an address can be connected to
 */
export function createFetch(resolve?: Resolve, permits: (address: string) => boolean = isAllowableAddress): Fetch {
  const kept = { keepAlive: true, timeout: IDLE_MS, maxSockets: SOCKETS };
  const options: ExtendOptions = {
    agent: { http: new HttpAgent(kept), https: new HttpsAgent(kept) },
    decompress: false,
    dnsLookup: createCheckedLookup(permits, forbidden, resolve),
    followRedirect: false,
    headers: { 'user-agent': 'koine', 'accept-encoding': 'identity' },
    retry: { limit: 0 },
    throwHttpErrors: false,
  };
  /** Most gateways call no service: got is imported at the first call. */
  const open = async () => {
    const { default: got } = await import('got');
    return got.extend(options);
  };
  let client: ReturnType<typeof open> | undefined;

  const exchange: Fetch = async (
    url,
    { method = 'GET', headers = {}, body = method === 'POST' ? '' : undefined, timeoutMs },
  ) => {
    checkLiteral(new URL(url), permits);
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
    const received = await readBody(stream);
    return { status: stream.response?.statusCode ?? 0, body: received };
  };

  return async (url, options) => {
    const { origin } = new URL(url);
    try {
      return await exchange(url, options);
    } catch (thrown) {
      // oxlint-disable-next-line eslint/preserve-caught-error -- got's error contains secrets of the operator
      throw new Error(`The request to ${origin} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  };
}

export const fetchService: Fetch = createFetch();

/** For tokens of the gateway's own identity, which clouds hand out at such addresses. Extensions do not get it. */
export const fetchToken: Fetch = createFetch(undefined, () => true);
