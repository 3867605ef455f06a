import type { FailureClass, GatewayError, WireName } from '../../core/api/index.ts';
import {
  classifySentence,
  readErrorMessage,
  upstreamError,
  type ErrorReply,
  type Sentence,
} from '../../core/api/codec.ts';

/** The server has no codes. Another target might do what the template of this model cannot. */
const sentences: readonly Sentence[] = [
  [/^\S+ (does not support (?:tools|thinking|chat|insert|embeddings|vision|image input))$/, 'unsuitable'],
  [/^think value \S+ (is not supported for this model)$/, 'unsuitable'],
  [/^this model (requires a subscription)\b.*$/, 'model-access'],
  [/^model requires more system memory \([^)]*\) than is available \([^)]*\)$/, 'overloaded'],
];
const TOO_LONG = /(?:prompt|input).{0,40}(?:exceed\w*|longer than).{0,40}context/i;

/** Besides the model, a request names nothing that the server could lack. */
const failureOf = (reply: ErrorReply, message: string): FailureClass | undefined =>
  reply.status === 404 ? 'model-gone' : classifySentence(sentences, message, reply);

/** Errors of the server: `{"error":"model 'llama9' not found"}`. */
export function decodeError(wire: WireName, reply: ErrorReply): GatewayError {
  const message = readErrorMessage(reply.body) ?? '';
  if (reply.status === 400 && TOO_LONG.test(message))
    return upstreamError(wire, reply, { failure: 'caller-fault', code: 'context_length_exceeded' });
  const failure = failureOf(reply, message);
  return upstreamError(wire, reply, failure === undefined ? {} : { failure });
}

/** An error in place of a response, or in a line of a stream, whose status has been sent. */
export const decodeEmbeddedError = (wire: WireName, body: Readonly<Record<string, unknown>>): GatewayError => {
  const status = Number(body['status_code']);
  return decodeError(wire, { status: status >= 400 && status < 600 ? status : 500, headers: {}, body });
};
