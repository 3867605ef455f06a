import type { Headers } from '../../canonical/wire.ts';
import type { EndpointWire } from '../../contracts/provider.ts';
import type { Transport, UpstreamRequest } from '../../contracts/extension.ts';
import { reclassify, upstreamError } from '../../dispatch/upstream-error.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { parseJson } from '../../framing/json.ts';
import { pushedBody } from '../../lanes/upstream/body.ts';
import { collectBody } from '../../lanes/upstream/collect.ts';
import { Deadlines } from '../../lanes/upstream/deadlines.ts';
import type { Vendor } from './open-vendor.ts';

/** A call outside the gateway's exchanges. */
export interface VendorCall {
  /** The wire by which failures are read. */
  readonly endpointWire: EndpointWire | undefined;
  /** Replaces the HTTP client. */
  readonly send?: Transport;
  /** The id of the credential, whose secret is loaded first. */
  readonly credential: string;
  /** The name of the model; empty for the list of models. */
  readonly model: string;
  /** Milliseconds until the headers of the response, and for its body. */
  readonly timeout: number;
  build(signal: AbortSignal): UpstreamRequest | Promise<UpstreamRequest>;
}

export interface VendorAnswer {
  readonly headers: Headers;
  /** Parsed. */
  readonly body: unknown;
}

const readFailure = (
  { loaded: { registry } }: Vendor,
  { endpointWire, model }: VendorCall,
  reply: { readonly status: number; readonly headers: Headers; readonly body: unknown },
  sent: Uint8Array,
): GatewayError => {
  if (reply.status < 400)
    return new GatewayError(
      'upstream_bad_response',
      `The provider responded with the status ${reply.status}, which is not followed.`,
    );
  if (endpointWire === undefined) return upstreamError('', reply);
  const { operation, wire, classify } = endpointWire;
  const refused = { model, body: sent };
  const error =
    registry.codec(operation, wire)?.upstream?.decodeError({ ...reply, refused }) ?? upstreamError(wire, reply);
  const failure = error.vendor === undefined ? undefined : classify?.({ ...error.vendor, refused });
  return failure === undefined ? error : reclassify(error, failure);
};

/** Makes one call, and reads its JSON. @throws GatewayError for every failure, and every status but 2xx */
export async function callVendor(vendor: Vendor, call: VendorCall): Promise<VendorAnswer> {
  const { timeout } = call;
  await vendor.instance.credentials.find(({ id }) => id === call.credential)?.ready?.();
  const deadlines = new Deadlines(
    { firstByte: timeout, idle: timeout, total: 2 * timeout },
    new AbortController().signal,
  );
  try {
    const request = await call.build(deadlines.signal);
    // A transport of a provider takes an AbortSignal; the default one takes the deadlines themselves.
    const reply = await (call.send?.(request, deadlines.signal) ?? vendor.send(request, deadlines));
    const { status, headers } = reply;
    deadlines.answered();
    const text = (await collectBody({ body: pushedBody(reply.body), deadlines })).toString('utf8');
    const body = parseJson(text);
    if (status < 200 || status >= 300)
      throw readFailure(vendor, call, { status, headers, body: body ?? text }, request.body);
    if (body === undefined)
      throw new GatewayError('upstream_bad_response', 'The response of the provider is not JSON.');
    return { headers, body };
  } finally {
    deadlines.stop();
  }
}
