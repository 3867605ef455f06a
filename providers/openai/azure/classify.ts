import type { FailureClass, JsonObject } from '../../../core/api/index.ts';
import {
  classifySentence,
  isObject,
  lookUp,
  readErrorMessage,
  readObject,
  readText,
  type Classify,
  type ErrorReply,
  type Sentence,
} from '../../../core/api/codec.ts';
import { classify as classifyOpenAi } from '../classify.ts';

/**
 * Codes that only Azure sends, in addition to those of the wire, in lower case. A deployment serves some operations
 * only: another target can serve the request. https://learn.microsoft.com/azure/foundry/openai/how-to/troubleshoot
 */
const failures: Readonly<Record<string, FailureClass>> = {
  operationnotsupported: 'unsuitable',
  nocapacity: 'overloaded',
  serviceunavailable: 'overloaded',
  permissiondenied: 'credential',
  authorizationfailed: 'credential',
  accountisdisabled: 'credential',
};

/** Messages whose code is a number, or `BadRequest`, which means anything. */
const sentences: readonly Sentence[] = [
  [/^(Access denied due to Virtual Network\/Firewall rules\.).*$/s, 'credential'],
  [/^(A Virtual Network is configured for this resource\.).*$/s, 'credential'],
  [/^(Public access is disabled\.).*$/s, 'credential'],
  [/^(Access denied due to invalid subscription key or wrong API endpoint\.).*$/s, 'credential'],
  [/^(Out of call volume quota\.).*$/s, 'quota'],
  [/^(The system is currently experiencing high demand and cannot process your request\.).*$/s, 'overloaded'],
  // The path or the version of the configuration: no request to this target can succeed.
  [/^(?:Resource not found|API version not supported)\.?$/, 'model-gone'],
];

/** API Management in front of a resource has no object under `error`. */
const errorOf = (body: unknown): Readonly<JsonObject> => {
  const whole = readObject(body);
  return isObject(whole['error']) ? whole['error'] : whole;
};

/**
 * The server of a model failed behind Azure:
 * https://learn.microsoft.com/azure/machine-learning/how-to-troubleshoot-online-endpoints#http-status-codes
 */
const MODEL_FAILED = 424;

/** Classifies failures of a resource at Azure. */
export const classify: Classify = (reply: ErrorReply) => {
  const code = readText(errorOf(reply.body)['code']).toLowerCase();
  return (
    lookUp(failures, code) ??
    classifySentence(sentences, readErrorMessage(reply.body) ?? '', reply) ??
    (reply.status === MODEL_FAILED ? 'transient' : classifyOpenAi(reply))
  );
};
