import { defineFit } from '../contracts/fit.ts';
import { unsupportedParameter } from './support/unsupported.ts';

/** Refuses references to vendor state of another wire: the gateway stores no conversations. */
export const vendorStateFit = defineFit({
  name: 'vendor-state',
  fit({ vendorState, wire }, { wire: targetWire, model }) {
    const [field] = vendorState ?? [];
    if (field === undefined || wire === targetWire) return undefined;
    throw unsupportedParameter(
      field,
      `'${field}' refers to something stored at a vendor with the wire ${wire}, but ${model} is not called over ` +
        'that wire. Send the whole conversation instead, or choose a model of that vendor.',
    );
  },
});
