import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Caller } from '../../contracts/caller.ts';
import type { Clock, PrimaryLink } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { GRANT_HEADER } from '../../exchange/authenticate.ts';
import { request as plainRequest } from '../../services/network/node-http.ts';

/** A grant is for one request, which follows at once. */
const LIFE_MS = 10_000;
/** Grants that are not redeemed yet. */
const MOST = 100;
const REDEEM_MS = 5_000;

/** The address at which a listener on all addresses is reached from this host. */
const ownAddress = (url: string): URL => {
  const address = new URL(url);
  if (address.hostname === '0.0.0.0') address.hostname = '127.0.0.1';
  if (address.hostname === '[::]') address.hostname = '[::1]';
  return address;
};

/**
 * Requests that the gateway sends to its own data listener for a person: each with a grant, which names its caller
 * once. The main thread holds the grants, and whichever thread receives the request redeems it there. So a key is used
 * without its secret, which the gateway does not have.
 */
export class OwnRequests {
  /** The URL of the data listener. undefined: it is not open yet. */
  url: string | undefined = undefined;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #grants = new Map<string, { readonly caller: Caller; readonly until: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Sends JSON as this caller. @returns the response, whose body is still to be read. @throws GatewayError */
  async send(caller: Caller, path: string, body: string): Promise<IncomingMessage> {
    if (this.url === undefined) throw new GatewayError('service_unavailable', 'The gateway is starting. Try again.');
    const url = new URL(path, ownAddress(this.url));
    const grant = this.#issue(caller);
    const options = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'koine-playground',
        [GRANT_HEADER]: grant,
      },
    };
    // The certificate is for the name that clients use; this connection does not leave the host.
    const call =
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, rejectUnauthorized: false, agent: false })
        : plainRequest(url, { ...options, agent: false });
    // Before the response it rejects the promise below, and afterwards the response reports it.
    call.on('error', () => {});
    try {
      call.end(body);
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      return response;
    } catch (cause) {
      throw new GatewayError('service_unavailable', 'The gateway cannot reach its own listener for clients.', {
        cause,
      });
    } finally {
      this.#grants.delete(grant);
    }
  }

  #issue(caller: Caller): string {
    if (this.#grants.size >= MOST)
      throw new GatewayError('overloaded', 'Too many requests of the playground have begun. Try again.');
    const grant = randomBytes(32).toString('hex');
    this.#grants.set(grant, { caller, until: this.#clock.monotonic() + LIFE_MS });
    return grant;
  }

  /** The caller of a grant; null for one that is unknown, used or too old. */
  redeem(grant: unknown): Caller | null {
    const found = typeof grant === 'string' ? this.#grants.get(grant) : undefined;
    if (found === undefined) return null;
    this.#grants.delete(grant as string);
    return found.until > this.#clock.monotonic() ? found.caller : null;
  }
}

/** Redeems a grant in the main thread. @returns a promise only from a worker */
export const createRedeem =
  (primary: PrimaryLink) =>
  (grant: string): Caller | null | Promise<Caller | null> =>
    primary.call(grant, REDEEM_MS) as Caller | null | Promise<Caller | null>;
