import { isObject, lookUp, type Classify, type FailureClass } from '../../core/index.ts';

/** OpenAI's own meanings beyond those of the wire: https://platform.openai.com/docs/guides/error-codes */
const failures: Readonly<Record<string, FailureClass>> = {
  billing_not_active: 'quota',
  account_deactivated: 'credential',
  invalid_organization: 'credential',
  mismatched_organization: 'credential',
  mismatched_project: 'credential',
  unsupported_country_region_territory: 'region',
  slow_down: 'overloaded',
};

/** A model that exists but is not open to this account: another account may have it. */
const isClosedModel = (status: number, code: unknown): boolean => status === 403 && code === 'model_not_found';

export const classify: Classify = ({ status, body }) => {
  const error = isObject(body) ? body['error'] : undefined;
  const code = isObject(error) ? error['code'] : undefined;
  if (isClosedModel(status, code)) return 'model-access';
  return typeof code === 'string' ? lookUp(failures, code) : undefined;
};
