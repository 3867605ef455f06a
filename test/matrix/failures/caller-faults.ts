import { fromVendors, googleError, messagesError, chatError, type FailureCase } from './failure-case.ts';

/** The client's own mistakes: the vendor's sentence and status reach it. */
export const callerFaults: readonly FailureCase[] = [
  {
    name: 'a 400',
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
    name: 'a 413',
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
      {
        status: 400,
        body: chatError(
          "This model's maximum context length is 10 tokens.",
          'invalid_request_error',
          'context_length_exceeded',
          'messages',
        ),
      },
      { status: 400, body: messagesError('invalid_request_error', 'prompt is too long: 20 tokens > 10 maximum') },
      {
        status: 400,
        body: googleError(
          400,
          'INVALID_ARGUMENT',
          'The input token count (20) exceeds the maximum number of tokens allowed (10).',
        ),
      },
    ),
    kind: 'too long',
    message: /maximum context length is 10|prompt is too long|input token count \(20\) exceeds/,
    failure: 'caller-fault',
  },
  {
    name: 'a 403 without a code',
    vendor: fromVendors(
      { status: 403, body: chatError('You may not use file_1.', 'invalid_request_error') },
      { status: 403, body: messagesError('permission_error', 'You may not use file_1.') },
      { status: 403, body: googleError(403, 'PERMISSION_DENIED', 'You may not use file_1.') },
    ),
    kind: 'forbidden',
    message: /You may not use file_1\./,
    failure: 'caller-fault',
  },
  {
    name: 'a 404 for a file',
    vendor: fromVendors(
      { status: 404, body: chatError('No such file: file_1.', 'invalid_request_error') },
      { status: 404, body: messagesError('not_found_error', 'File not found: file_1.') },
      { status: 404, body: googleError(404, 'NOT_FOUND', 'File file_1 not found.') },
    ),
    kind: 'not found',
    message: /file_1/,
    failure: 'caller-fault',
  },
  {
    name: 'a 404 for the model',
    vendor: fromVendors(
      { status: 404, body: chatError('No model gpt-4.1.', 'invalid_request_error', 'model_not_found') },
      { status: 404, body: messagesError('not_found_error', 'model: claude-sonnet-4-5') },
      {
        status: 404,
        body: googleError(
          404,
          'NOT_FOUND',
          'models/gemini-2.5-flash is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.',
        ),
      },
    ),
    kind: 'no model',
    message: /No model|model: claude|models\/gemini/,
    failure: 'model-gone',
  },
];
