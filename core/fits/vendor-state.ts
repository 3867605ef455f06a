import { defineFit } from '../contracts/fit.ts';
import { unsupportedParameter } from './support/unsupported.ts';

/** What refers to something kept at the vendor of the client's wire means nothing to another: the gateway keeps no conversations. */
export const vendorStateFit = defineFit({
  name: 'vendor-state',
  fit({ vendorState, wire }, { wire: targetWire, model }) {
    const [field] = vendorState ?? [];
    if (field === undefined || wire === targetWire) return undefined;
    throw unsupportedParameter(
      field,
      `'${field}' refers to something kept at a vendor that speaks ${wire}, and ${model} is not reached over that wire. Send the whole conversation instead, or choose a model of that vendor.`,
    );
  },
});
