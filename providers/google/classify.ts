import { isObject, lookUp, readErrorMessage, type Classify, type FailureClass } from '../../core/index.ts';

/** `reason` of an ErrorInfo: https://cloud.google.com/apis/design/errors#error_info. A bad key is a 400 at this vendor. */
const failures: Readonly<Record<string, FailureClass>> = {
  API_KEY_INVALID: 'credential',
  API_KEY_EXPIRED: 'credential',
  API_KEY_SERVICE_BLOCKED: 'credential',
  API_KEY_HTTP_REFERRER_BLOCKED: 'credential',
  API_KEY_IP_ADDRESS_BLOCKED: 'credential',
  ACCESS_TOKEN_EXPIRED: 'credential',
  CREDENTIALS_MISSING: 'credential',
  CONSUMER_INVALID: 'credential',
  CONSUMER_SUSPENDED: 'credential',
  SERVICE_DISABLED: 'credential',
  BILLING_DISABLED: 'quota',
  LOCATION_POLICY_VIOLATED: 'region',
};

/** What has no reason of its own: https://ai.google.dev/gemini-api/docs/troubleshooting */
const sentences: readonly (readonly [sentence: RegExp, failure: FailureClass])[] = [
  [/API key (?:not valid|expired|not found)|pass a valid API key|API key was reported as leaked/i, 'credential'],
  [/user location is not supported/i, 'region'],
  [/free tier is not available in your country|enable billing/i, 'quota'],
];

const reasonsOf = (body: unknown): readonly string[] => {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  const error = isObject(whole) ? whole['error'] : undefined;
  const details: readonly unknown[] = isObject(error) && Array.isArray(error['details']) ? error['details'] : [];
  return details.flatMap((detail) => (isObject(detail) && typeof detail['reason'] === 'string' ? [detail['reason']] : []));
};

export const classify: Classify = ({ status, body }) => {
  const told = reasonsOf(body).flatMap((reason) => lookUp(failures, reason) ?? [])[0];
  if (told !== undefined || status < 400 || status > 403) return told;
  const message = readErrorMessage(body) ?? '';
  return sentences.find(([sentence]) => sentence.test(message))?.[1];
};
