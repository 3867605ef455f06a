import type { FailureClass, JsonObject } from '../../core/api/index.ts';
import { isObject, lookUp, type Classify } from '../../core/api/codec.ts';

/**
 * Codes that only OpenAI sends, in addition to those of the wire: https://platform.openai.com/docs/guides/error-codes
 */
const failures: Readonly<Record<string, FailureClass>> = {
  billing_not_active: 'quota',
  account_deactivated: 'credential',
  invalid_organization: 'credential',
  ip_not_authorized: 'credential',
  mismatched_organization: 'credential',
  mismatched_project: 'credential',
  unsupported_country_region_territory: 'region',
  slow_down: 'overloaded',
};

/**
 * The model exists but this account has no access to it; another account can have it. With another `param` the error is
 * about the model of a tool.
 */
const isClosedModel = (status: number, { code, param }: Readonly<JsonObject>): boolean =>
  status === 403 && code === 'model_not_found' && (param === undefined || param === null || param === 'model');

export const classify: Classify = ({ status, body }) => {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  if (isClosedModel(status, error)) return 'model-access';
  const { code } = error;
  return typeof code === 'string' ? lookUp(failures, code) : undefined;
};
