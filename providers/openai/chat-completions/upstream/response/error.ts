import { createVendorErrors } from '../../../vendor-error.ts';
import { WIRE } from '../../shape.ts';

export const { decodeError, decodeEmbeddedError } = createVendorErrors(WIRE);
export { holdsError } from '../../../vendor-error.ts';
