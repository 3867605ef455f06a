import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Headers } from '../../canonical/wire.ts';
import type { RequestHead, RouteInfo } from '../../contracts/exchange.ts';
import type { Clock } from '../../contracts/services.ts';
import { GRANT_HEADER } from '../../exchange/authenticate.ts';
import { TAGS_HEADER, USER_HEADER } from '../../exchange/request/attribution.ts';
import { newOrderedId } from '../../lanes/new-id.ts';
import type { ReadAddress } from './client-address.ts';
import type { GatewayResponse } from '../response/gateway-response.ts';

/** Headers of the gateway itself. A client can send some of them; inner layers would trust any other. */
const OWN = 'x-koine-';
const SENT: ReadonlySet<string> = new Set([USER_HEADER, TAGS_HEADER, GRANT_HEADER]);
const isRemoved = (name: string): boolean => name.startsWith(OWN) && !SENT.has(name);

const copyHeaders = (received: IncomingHttpHeaders): Headers => {
  const headers: Record<string, string> = {};
  for (const name in received) {
    const value = received[name];
    if (value !== undefined && !isRemoved(name)) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
};

/** The headers as strings, without internal ones. Node's object is used as it is, unless something has to change. */
export function readHeaders(received: IncomingHttpHeaders): Headers {
  for (const name in received)
    if (typeof received[name] !== 'string' || name.startsWith(OWN)) return copyHeaders(received);
  return received as Headers;
}

const noQuery = Object.freeze({});

const readQuery = (url: string, mark: number): Readonly<Record<string, string>> =>
  mark === -1 || mark === url.length - 1 ? noQuery : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)));

export const queryOf = (url: string): Readonly<Record<string, string>> => readQuery(url, url.indexOf('?'));

/**
 * The part of a request that is known before its body is read. Its signal aborts if the client leaves before the
 * response is complete, and if the gateway ends the exchange.
 */
export function createRequestHead(
  req: IncomingMessage,
  res: GatewayResponse,
  route: RouteInfo,
  clock: Clock,
  readAddress: ReadAddress,
): RequestHead {
  const { url = '/', method = '' } = req;
  const mark = url.indexOf('?');
  const controller = new AbortController();
  res.controller = controller;
  res.head = {
    id: res.requestId ?? newOrderedId('req_', clock.now()),
    route,
    method,
    path: mark === -1 ? url : url.slice(0, mark),
    headers: readHeaders(req.headers),
    query: readQuery(url, mark),
    address: readAddress(req),
    startedAt: clock.monotonic(),
    signal: controller.signal,
  };
  return res.head;
}
