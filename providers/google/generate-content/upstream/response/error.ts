import { GatewayError } from '../../../../../core/api/index.ts';
import { createVendorErrors } from '../../../vendor-error.ts';
import { WIRE } from '../../shape.ts';

export const { decodeError, decodeEmbeddedError } = createVendorErrors(WIRE);
export { hasError, modelMissing } from '../../../vendor-error.ts';

export const malformedChunk = (): GatewayError =>
  new GatewayError('upstream_bad_response', 'The provider sent data that is not a generate-content response.');
