import type { Context } from 'koa';
import type { Caller } from '../../contracts/caller.ts';
import type { RequestHead } from '../../contracts/exchange.ts';
import { DirectRequest, type DirectClient, type DirectParts } from './direct-request.ts';
import { describeLimits } from '../../exchange/limit-headers.ts';
import type { GatewayResponse } from '../response/gateway-response.ts';
import { keepSendable } from '../response/sendable-headers.ts';

/**
 * Identifies the caller of a request that Koa serves, counts it against the limits, and sets their headers.
 * @param client of the wire whose errors and headers the client reads
 * @throws GatewayError the refusal
 */
export async function admitDirect(
  parts: DirectParts,
  context: Context,
  head: RequestHead,
  client: DirectClient,
): Promise<Caller> {
  const response = context.res as GatewayResponse;
  const request = (response.direct ??= new DirectRequest(head.startedAt));
  request.client = client;
  const { admissions } = request;
  const caller = await parts.identify(head);
  request.caller = caller;
  parts.enter(head, caller, admissions);
  await parts.admitDirect(head, caller, admissions);
  const headers = { ...describeLimits(admissions, client) };
  for (const admission of admissions) Object.assign(headers, admission.headers);
  context.set(keepSendable(headers));
  return caller;
}
