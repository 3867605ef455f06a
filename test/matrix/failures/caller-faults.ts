import { chatError, messagesError, type FailureCase } from './failure-case.ts';

/** The client's own mistakes: the vendor's sentence and status reach it. */
export const callerFaults: readonly FailureCase[] = [
  {
    name: '400',
    vendor: {
      chat: { status: 400, body: chatError('Bad stop.', 'invalid_request_error', null, 'stop') },
      messages: { status: 400, body: messagesError('invalid_request_error', 'Bad stop.') },
    },
    thrown: {
      chat: { class: 'BadRequestError', status: 400, type: 'invalid_request_error', code: null },
      messages: { class: 'BadRequestError', status: 400, type: 'invalid_request_error' },
    },
    message: /Bad stop\./,
    failure: 'caller-fault',
  },
  {
    name: '413',
    vendor: {
      chat: { status: 413, body: chatError('Too much.', 'invalid_request_error', 'request_too_large') },
      messages: { status: 413, body: messagesError('request_too_large', 'Too much.') },
    },
    thrown: {
      chat: { class: 'APIError', status: 413, type: 'invalid_request_error' },
      messages: { class: 'ContentTooLargeError', status: 413, type: 'request_too_large' },
    },
    message: /Too much\./,
    failure: 'caller-fault',
  },
  {
    name: 'a prompt that is too long',
    vendor: {
      chat: { status: 400, body: chatError("This model's maximum context length is 10 tokens.", 'invalid_request_error', 'context_length_exceeded', 'messages') },
      messages: { status: 400, body: messagesError('invalid_request_error', 'prompt is too long: 20 tokens > 10 maximum') },
    },
    thrown: {
      chat: { class: 'BadRequestError', status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' },
      messages: { class: 'BadRequestError', status: 400, type: 'invalid_request_error' },
    },
    message: /maximum context length is 10|prompt is too long/,
    failure: 'caller-fault',
  },
  {
    name: '404 for the model',
    vendor: {
      chat: { status: 404, body: chatError('No model gpt-4.1.', 'invalid_request_error', 'model_not_found') },
      messages: { status: 404, body: messagesError('not_found_error', 'No model claude.') },
    },
    thrown: {
      chat: { class: 'NotFoundError', status: 404, type: 'invalid_request_error', code: 'model_not_found' },
      messages: { class: 'NotFoundError', status: 404, type: 'not_found_error' },
    },
    message: /No model/,
    failure: 'model-gone',
  },
];
