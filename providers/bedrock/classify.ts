import type { FailureClass } from '../../core/api/index.ts';
import {
  classifySentence,
  lookUp,
  readErrorMessage,
  readObject,
  readText,
  type Classify,
  type ErrorReply,
  type Sentence,
} from '../../core/api/codec.ts';

/**
 * Exceptions by name, in lower case. This vendor never answers 401: bad credentials have status 403, and so have
 * rights that are missing. https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
export const failures: Readonly<Record<string, FailureClass>> = {
  expiredtokenexception: 'credential',
  expiredtoken: 'credential',
  unrecognizedclientexception: 'credential',
  invalidsignatureexception: 'credential',
  signaturedoesnotmatch: 'credential',
  incompletesignatureexception: 'credential',
  incompletesignature: 'credential',
  invalidclienttokenid: 'credential',
  missingauthenticationtoken: 'credential',
  missingauthenticationtokenexception: 'credential',
  optinrequired: 'credential',
  requestexpired: 'credential',
  accessdeniedexception: 'model-access',
  accessdenied: 'model-access',
  throttlingexception: 'rate-limit',
  throttling: 'rate-limit',
  servicequotaexceededexception: 'quota',
  modelnotreadyexception: 'overloaded',
  modeltimeoutexception: 'timeout',
  modelerrorexception: 'transient',
  modelstreamerrorexception: 'transient',
  internalserverexception: 'transient',
  internalfailure: 'transient',
  serviceunavailableexception: 'overloaded',
  serviceunavailable: 'overloaded',
};

/** Messages that say more than the exception. */
const sentences: readonly Sentence[] = [
  [/^The provided model identifier is invalid\.?$/, 'model-gone'],
  [
    /^(Invocation of model ID) \S+ with on-demand throughput isn.t supported\. Retry your request with .+$/,
    'model-gone',
  ],
  [/^(This model version has reached the end of its life)\b.*$/, 'model-gone'],
  [
    /^Could not resolve the foundation model from (?:the provided model identifier|model identifier: \S+)\.?$/,
    'model-gone',
  ],
  [/^(Access denied\. This Model is marked by provider as Legacy)\b.*$/, 'model-gone'],
  [/^(Authentication failed): Please make sure your API Key is valid\.?$/, 'credential'],
  [/^(Invalid API Key format): .{0,200}$/, 'credential'],
  [/^Operation not allowed\.?$/, 'credential'],
  [/^(Access to Anthropic models is not allowed from unsupported countries)\b.*$/, 'region'],
  [/^Too many tokens per day, please wait before trying again\.$/, 'quota'],
];

/**
 * The name of an exception in lower case; empty for none. The header can have an address after the name, the body a
 * namespace before it: https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization
 */
export function readErrorType({ headers, body }: Pick<ErrorReply, 'headers' | 'body'>): string {
  const { __type: type, code } = readObject(body);
  const [name = ''] = readText(headers['x-amzn-errortype'] ?? type ?? code).split(':', 1);
  return name.slice(name.lastIndexOf('#') + 1).toLowerCase();
}

/** The failure by the whole message, otherwise by the exception. A 5xx is trusted only with a name. */
export const classify: Classify = (reply) => {
  const message = readErrorMessage(reply.body) ?? '';
  const said = reply.status < 500 ? classifySentence(sentences, message, reply) : undefined;
  return said ?? lookUp(failures, readErrorType(reply));
};
