import type { ErrorCode, GatewayError } from '../../../../core/api/index.ts';
import {
  lookUp,
  readErrorMessage,
  readObject,
  readText,
  upstreamError,
  type ErrorReply,
} from '../../../../core/api/codec.ts';
import { failures, readErrorType } from '../../classify.ts';
import { WIRE } from '../shape.ts';

/** What is longer than the context is refused in these words, which differ between models. */
const TOO_LONG =
  /^(?:The model returned the following errors: )?(?:Input is too long|prompt is too long|Input tokens exceeded|.{0,80}exceed(?:s|ed)? (?:the )?(?:maximum )?context (?:limit|window|length))/i;

/** Exceptions by name, in lower case: in a response their status says the same, in a stream there is none. */
const statusOf: Readonly<Record<string, number>> = {
  throttlingexception: 429,
  modelnotreadyexception: 429,
  servicequotaexceededexception: 400,
  serviceunavailableexception: 503,
  internalserverexception: 500,
  modelstreamerrorexception: 424,
  modelerrorexception: 424,
  modeltimeoutexception: 408,
  validationexception: 400,
  accessdeniedexception: 403,
  resourcenotfoundexception: 404,
};

const decode = (type: string, reply: ErrorReply): GatewayError => {
  const message = readErrorMessage(reply.body) ?? '';
  const failure = lookUp(failures, type);
  const code: ErrorCode | undefined =
    reply.status === 400 && TOO_LONG.test(message) ? 'context_length_exceeded' : undefined;
  return upstreamError(WIRE, reply, {
    ...(failure === undefined ? {} : { failure }),
    ...(code === undefined ? {} : { failure: 'caller-fault', code }),
  });
};

/** Decodes any response that is not a success. */
export const decodeError = (reply: ErrorReply): GatewayError => decode(readErrorType(reply), reply);

/** Decodes an exception within a stream: `{ type, message }`. */
export function decodeException(exception: unknown): GatewayError {
  const { type, message } = readObject(exception);
  const name = readText(type).toLowerCase();
  return decode(name, { status: statusOf[name] ?? 500, headers: {}, body: { message } });
}
