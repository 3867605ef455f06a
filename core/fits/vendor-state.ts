import { defineFit } from '../contracts/fit.ts';
import { unsupportedParameter } from './support/unsupported.ts';

/** Refuses references to vendor state that the target cannot have: the gateway stores no conversations. */
export const vendorStateFit = defineFit({
  name: 'vendor-state',
  fit({ vendorState, wire }, { wire: targetWire, model, stateless }) {
    const [field] = vendorState ?? [];
    if (field === undefined || (wire === targetWire && stateless !== true)) return undefined;
    const reason =
      wire === targetWire
        ? `'${field}' refers to an earlier request, and the server of ${model} holds nothing between requests.`
        : `'${field}' refers to something stored at a vendor with the wire ${wire}, but ${model} is not called over ` +
          'that wire.';
    throw unsupportedParameter(
      field,
      `${reason} Send the whole conversation instead, or choose a model of that vendor.`,
    );
  },
});
