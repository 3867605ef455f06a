import type { FailureClass, GatewayError, WireName } from '../../core/api/index.ts';
import {
  classifySentence,
  isModelMissing,
  readErrorMessage,
  upstreamError,
  type ErrorReply,
  type Sentence,
} from '../../core/api/codec.ts';

/**
 * The vendor has no codes, only sentences: https://docs.cohere.com/reference/errors. A key of a trial has limits by the
 * minute, which pass, and by the month, which do not.
 */
const sentences: readonly Sentence[] = [
  [/^(You are using a Trial key, which is limited to \d+ API calls \/ month\.).*$/s, 'quota'],
  [/^(Please add or update your payment method at \S+ to continue)\.?$/, 'quota'],
  [/^(You have reached your monthly (?:spend|billing|usage) limit)\b.*$/s, 'quota'],
  [
    /^(invalid api token|no api key supplied|your api token is expired|this api key has been disabled)\b.*$/i,
    'credential',
  ],
  [/^(.{0,80}is not supported in your (?:country|region))\.?$/, 'region'],
];

const missing = [
  /^model '([^']+)' was removed on [\w ,]+\..*$/s,
  /^model '([^']+)' not found,? make sure the correct model ID was used.*$/s,
  /^model not found: ?'?([^\s']+)'?.*$/s,
];

const TOO_LONG = /^too many tokens\b|exceeds? the (?:maximum )?(?:context|token) (?:length|limit)/i;

const failureOf = (reply: ErrorReply, message: string): FailureClass | undefined => {
  // 498: the token of the request is on a list of blocked ones. 499: a proxy of the vendor closed the call.
  if (reply.status === 498) return 'credential';
  if (reply.status === 499) return 'transient';
  if ((reply.status === 404 || reply.status === 400) && isModelMissing(missing, message, reply)) return 'model-gone';
  return reply.status >= 400 && reply.status < 500 ? classifySentence(sentences, message, reply) : undefined;
};

/** Errors of the vendor: `{"id":"…","message":"…"}`. */
export function decodeError(wire: WireName, reply: ErrorReply): GatewayError {
  const message = readErrorMessage(reply.body) ?? '';
  if ((reply.status === 400 || reply.status === 422) && TOO_LONG.test(message))
    return upstreamError(wire, reply, { failure: 'caller-fault', code: 'context_length_exceeded' });
  const failure = failureOf(reply, message);
  return upstreamError(wire, reply, failure === undefined ? {} : { failure });
}
