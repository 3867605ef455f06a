import type { FailureClass, JsonObject } from '../../core/api/index.ts';
import {
  classifySentence,
  lookUp,
  readErrorMessage,
  readObject,
  readObjects,
  readText,
  type Classify,
  type Sentence,
} from '../../core/api/codec.ts';
import { errorOf } from './vendor-error.ts';

/**
 * `reason` of an ErrorInfo: https://cloud.google.com/apis/design/errors#error_info. This vendor rejects bad keys with
 * 400.
 */
const failures: Readonly<Record<string, FailureClass>> = {
  API_KEY_INVALID: 'credential',
  API_KEY_EXPIRED: 'credential',
  API_KEY_SERVICE_BLOCKED: 'credential',
  API_KEY_HTTP_REFERRER_BLOCKED: 'credential',
  API_KEY_IP_ADDRESS_BLOCKED: 'credential',
  API_KEY_ANDROID_APP_BLOCKED: 'credential',
  API_KEY_IOS_APP_BLOCKED: 'credential',
  ACCESS_TOKEN_EXPIRED: 'credential',
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: 'credential',
  ACCESS_TOKEN_TYPE_UNSUPPORTED: 'credential',
  ACCOUNT_STATE_INVALID: 'credential',
  CREDENTIALS_MISSING: 'credential',
  CONSUMER_INVALID: 'credential',
  CONSUMER_SUSPENDED: 'credential',
  SERVICE_DISABLED: 'credential',
  USER_PROJECT_DENIED: 'credential',
  BILLING_DISABLED: 'quota',
  LOCATION_POLICY_VIOLATED: 'region',
};
/** The services behind generate and embed calls. A tool can need others, which the caller chooses. */
const ownServices: ReadonlySet<unknown> = new Set([
  undefined,
  'generativelanguage.googleapis.com',
  'aiplatform.googleapis.com',
]);

/** Messages without a `reason`: https://ai.google.dev/gemini-api/docs/troubleshooting */
const sentences: readonly Sentence[] = [
  [/^API key not valid\. Please pass a valid API key\.$/, 'credential'],
  [/^API key expired\. Please renew the API key\.$/, 'credential'],
  [/^API Key not found\. Please pass a valid API key\.$/i, 'credential'],
  [/^Your API key was reported as leaked\. Please use another API key\.$/, 'credential'],
  [/^Your project has been denied access\. Please contact support\.$/, 'credential'],
  [
    /^(Method doesn't allow unregistered callers) \(callers without established identity\)\. Please use API Key [\w ]+\.$/,
    'credential',
  ],
  [/^User location is not supported for the API use(?: without a billing account linked)?\.$/, 'region'],
  [
    /^(Gemini API free tier is not available in your country)\. Please enable billing on your project[\w ]*\.$/,
    'quota',
  ],
];

const isOwn = ({ metadata }: JsonObject): boolean => ownServices.has(readObject(metadata)['service']);

export const classify: Classify = (reply) => {
  const { status, body } = reply;
  const details = readObjects(errorOf(body)['details']).filter(isOwn);
  const [byReason] = details.flatMap(({ reason }) => lookUp(failures, readText(reason)) ?? []);
  if (byReason !== undefined || status < 400 || status > 403) return byReason;
  return classifySentence(sentences, readErrorMessage(body) ?? '', reply);
};
