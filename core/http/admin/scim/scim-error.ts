import { GatewayError } from '../../../errors/gateway-error.ts';

/** The causes that RFC 7644, section 3.12 names, as far as they occur here. */
export type ScimErrorType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** An error of a SCIM request: 409 for a value that another resource has, else 400. */
export class ScimError extends GatewayError {
  readonly scimType: ScimErrorType;

  constructor(scimType: ScimErrorType, message: string) {
    super(scimType === 'uniqueness' ? 'conflict' : 'invalid_request', message);
    this.scimType = scimType;
  }
}

/** The body of an error: https://www.rfc-editor.org/rfc/rfc7644#section-3.12 */
export const describeScimError = (error: GatewayError): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(error.status),
  ...(error instanceof ScimError ? { scimType: error.scimType } : {}),
  detail: error.publicMessage,
});
