import { fromVendors, googleError, messagesError, chatError, type FailureCase } from './failure-case.ts';

/** The client's own mistakes: the vendor's sentence and status reach it. */
export const callerFaults: readonly FailureCase[] = [
  {
    name: '400',
    vendor: fromVendors(
      { status: 400, body: chatError('Bad stop.', 'invalid_request_error', null, 'stop') },
      { status: 400, body: messagesError('invalid_request_error', 'Bad stop.') },
      { status: 400, body: googleError(400, 'INVALID_ARGUMENT', 'Bad stop.') },
    ),
    kind: 'bad request',
    message: /Bad stop\./,
    failure: 'caller-fault',
  },
  {
    name: '413',
    vendor: fromVendors(
      { status: 413, body: chatError('Too much.', 'invalid_request_error', 'request_too_large') },
      { status: 413, body: messagesError('request_too_large', 'Too much.') },
      { status: 413, body: googleError(413, 'INVALID_ARGUMENT', 'Too much.') },
    ),
    kind: 'too large',
    message: /Too much\./,
    failure: 'caller-fault',
  },
  {
    name: 'a prompt that is too long',
    vendor: fromVendors(
      { status: 400, body: chatError("This model's maximum context length is 10 tokens.", 'invalid_request_error', 'context_length_exceeded', 'messages') },
      { status: 400, body: messagesError('invalid_request_error', 'prompt is too long: 20 tokens > 10 maximum') },
      { status: 400, body: googleError(400, 'INVALID_ARGUMENT', 'The input token count (20) exceeds the maximum number of tokens allowed (10).') },
    ),
    kind: 'too long',
    message: /maximum context length is 10|prompt is too long|input token count \(20\) exceeds/,
    failure: 'caller-fault',
  },
  {
    name: '404 for the model',
    vendor: fromVendors(
      { status: 404, body: chatError('No model gpt-4.1.', 'invalid_request_error', 'model_not_found') },
      { status: 404, body: messagesError('not_found_error', 'No model claude.') },
      { status: 404, body: googleError(404, 'NOT_FOUND', 'No model gemini.') },
    ),
    kind: 'no model',
    message: /No model/,
    failure: 'model-gone',
  },
];
