import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { findFamily } from '../../catalog/capabilities.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import type { UpstreamLimit } from '../../contracts/extension.ts';
import type { Endpoint, EndpointWire } from '../../contracts/provider.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { callVendor } from './call-vendor.ts';
import type { Vendor } from './open-vendor.ts';

/** The smallest cap that all vendors accept. */
const MAX_TOKENS = 16;

export interface Generation {
  /** Name at the vendor. */
  readonly model: string;
  readonly limits: readonly UpstreamLimit[];
}

interface GenerateTarget {
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly endpointWire: EndpointWire;
}

/** The first target of the configuration that generates. */
const findTarget = ({ name, instance, loaded: { config, registry } }: Vendor): GenerateTarget | undefined => {
  for (const { wires, targets } of Object.values(config.models)) {
    // The model of an embedding has the wires of embeddings only.
    if (wires?.every((wire) => registry.codec('generate', wire) === undefined) === true) continue;
    for (const { provider, model, wire: pinned } of targets) {
      if (provider !== name || model.includes('*')) continue;
      const endpoint = instance.endpoint(model);
      const endpointWire = endpoint.wires.find(
        ({ operation, wire }) => operation === 'generate' && (pinned === undefined || wire === pinned),
      );
      if (endpointWire !== undefined) return { model, endpoint, endpointWire };
    }
  }
  return undefined;
};

const profileOf = (
  { name, loaded: { registry, extensions } }: Vendor,
  { model, endpoint, endpointWire }: GenerateTarget,
): TargetProfile => {
  const { wire, capMember, effortMember } = endpointWire;
  return omitUndefined({
    provider: name,
    model,
    wire,
    origin: endpoint.origin,
    capabilities: findFamily(extensions.providers[name]?.definition.models ?? [], model),
    traits: registry.codec('generate', wire)?.traits ?? {},
    capMember,
    effortMember,
  });
};

const requestOf = (wire: string): GenerateRequest => ({
  wire,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Say yes.' }] }],
  tools: [],
  choices: 1,
  maxTokens: MAX_TOKENS,
  includeUsage: true,
  extra: { wire, members: {} },
  stream: false,
});

/**
 * Generates a few tokens with the first model of the configuration.
 * @returns undefined if the configuration has no model that generates
 * @throws GatewayError
 */
export async function generateOnce(
  vendor: Vendor,
  credential: string,
  timeout: number,
): Promise<Generation | undefined> {
  const target = findTarget(vendor);
  if (target === undefined) return undefined;
  const { model, endpointWire, endpoint } = target;
  const upstream = vendor.loaded.registry.codec('generate', endpointWire.wire)?.upstream;
  if (upstream === undefined)
    throw new GatewayError('internal_error', `The codec of ${endpointWire.wire} has no upstream side.`);
  const lose = (): void => {};
  const request = requestOf(endpointWire.wire);
  const { body, headers } = upstream.encodeRequest(request, profileOf(vendor, target), lose);
  const edited: JsonObject = body;
  for (const { member, value } of endpointWire.edits?.(body, { stream: false, headers, lose }) ?? [])
    edited[member] = value;
  const answer = await callVendor(vendor, {
    endpointWire,
    credential,
    ...(endpointWire.send === undefined ? {} : { send: endpointWire.send }),
    model,
    timeout,
    build: (signal) =>
      endpointWire.buildRequest({
        model,
        stream: false,
        body: Buffer.from(JSON.stringify(edited)),
        headers,
        credential,
        signal,
      }),
  });
  upstream.decodeResponse(answer.body, { origin: endpoint.origin, turn: 1, lose });
  return { model, limits: endpointWire.readLimits?.(answer.headers) ?? [] };
}
