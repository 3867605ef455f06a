import { excerpt } from '../canonical/text/redact.ts';
import type { WireName } from '../canonical/wire.ts';
import { allowsModel } from '../catalog/model-pattern.ts';
import type { Catalog, Model } from '../catalog/catalog.ts';
import type { Caller } from '../contracts/caller.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/**
 * The model that the client named, with aliases resolved. The key's allow-list is checked with the resolved id.
 * @throws GatewayError `model_not_found`, the same for unknown and forbidden models, so that names cannot be probed
 */
export function selectModel(catalog: Catalog, name: string, caller: Caller, wire: WireName): Model {
  const model = catalog.find(name);
  if (model === undefined || !allowsModel(caller.models, model.id)) {
    throw new GatewayError(
      'model_not_found',
      `The model '${excerpt(name, 128)}' does not exist or this key may not use it. ` +
        'GET /v1/models lists what it may use.',
      { param: 'model' },
    );
  }
  if (!model.serves(wire)) {
    throw new GatewayError(
      'model_not_found',
      `The model '${model.id}' is not offered on the wire '${wire}', only on ${model.entry.wires.join(', ')}. ` +
        'Use one of these, or have the operator add the wire to ' +
        `models.${model.id}.wires in the configuration of the gateway.`,
      { param: 'model', status: 400 },
    );
  }
  return model;
}
