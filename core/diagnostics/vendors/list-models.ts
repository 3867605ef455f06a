import type { OfferedModel, UpstreamLimit } from '../../contracts/extension.ts';
import type { EndpointWire } from '../../contracts/provider.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { callVendor } from './call-vendor.ts';
import type { Vendor } from './open-vendor.ts';

/** More pages than any vendor has: a list whose pages never end is a fault. */
const MAX_PAGES = 100;

/** What a vendor offers to a credential. */
export interface VendorOffer {
  /** Sorted by name, each once. */
  readonly models: readonly OfferedModel[];
  /** From the headers of the last page. */
  readonly limits: readonly UpstreamLimit[];
}

/** The wire by which a vendor's failures are read: that of any of its models. */
export const firstWireOf = ({ instance, models: [model = 'model'] }: Vendor): EndpointWire | undefined =>
  instance.endpoint(model).wires[0];

/**
 * Reads the vendor's list of models.
 * @param timeout milliseconds for each page
 * @returns undefined if the provider has no list
 * @throws GatewayError
 */
export async function readOffer(vendor: Vendor, credential: string, timeout: number): Promise<VendorOffer | undefined> {
  const { modelList } = vendor.instance;
  if (modelList === undefined) return undefined;
  const endpointWire = firstWireOf(vendor);
  const byName = new Map<string, OfferedModel>();
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { headers, body } = await callVendor(vendor, {
      endpointWire,
      credential,
      model: '',
      timeout,
      build: (signal) => modelList.buildRequest({ credential, signal, ...(after === undefined ? {} : { after }) }),
    });
    const { models, next } = modelList.read(body);
    for (const model of models) if (model.name !== '') byName.set(model.name, model);
    if (next === undefined || next === after) {
      const sorted = [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
      return { models: sorted, limits: endpointWire?.readLimits?.(headers) ?? [] };
    }
    after = next;
  }
  throw new GatewayError('upstream_bad_response', `The list of models has more than ${MAX_PAGES} pages.`);
}
