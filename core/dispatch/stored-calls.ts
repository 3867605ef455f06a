import type { WireName } from '../canonical/wire.ts';
import type { EndpointWire } from '../contracts/provider.ts';
import type { StoredCalls } from '../contracts/extension.ts';

const NO_BODY = new Uint8Array();

/**
 * The calls to what a vendor stores, below the address of the calls that create it.
 * @param address adds address and credentials, as for calls
 * @example stored: [createStoredCalls('responses', addressOf('/responses'))]
 */
export const createStoredCalls = (wire: WireName, address: EndpointWire['buildRequest']): StoredCalls => ({
  wire,
  buildRequest: async ({ method, path, query, credential, signal }) => {
    const request = await address({ model: '', stream: false, body: NO_BODY, headers: {}, credential, signal });
    const { pathname, search } = new URL(request.path, request.origin);
    const whole = [search.slice(1), query].filter((part) => part !== '').join('&');
    return {
      ...request,
      ...(method === 'POST' ? {} : { method }),
      path: `${pathname}${path}${whole === '' ? '' : `?${whole}`}`,
    };
  },
});
