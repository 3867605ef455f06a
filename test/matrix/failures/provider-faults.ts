import { chatError, messagesError, type FailureCase } from './failure-case.ts';

const secretive = { class: 'InternalServerError', type: 'server_error', status: 502, code: 'upstream_auth' } as const;
const page = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const badGateway: FailureCase['thrown'] = {
  chat: { class: 'InternalServerError', status: 502, type: 'server_error', code: 'bad_gateway' },
  messages: { class: 'InternalServerError', status: 500, type: 'api_error' },
};
const overloaded: FailureCase['thrown'] = {
  chat: { class: 'InternalServerError', status: 503, type: 'server_error', code: 'overloaded' },
  messages: { class: 'OverloadedError', status: 529, type: 'overloaded_error' },
};

/** The provider's failures, and the gateway's own standing with it: never shown as the client's fault. */
export const providerFaults: readonly FailureCase[] = [
  {
    name: '401: the credentials of the gateway, not of the client',
    vendor: {
      chat: { status: 401, body: chatError('Incorrect API key provided: sk-upst****nai.', 'invalid_request_error', 'invalid_api_key') },
      messages: { status: 401, body: messagesError('authentication_error', 'invalid x-api-key upstream-secret-anthropic') },
    },
    thrown: { chat: secretive, messages: { class: 'InternalServerError', status: 500, type: 'api_error' } },
    message: /^\d+ The provider refused the credentials of the gateway\.$|"message":"The provider refused the credentials of the gateway\."/,
    failure: 'credential',
  },
  {
    name: '403',
    vendor: {
      chat: { status: 403, body: chatError('Project p-1 may not.', 'invalid_request_error') },
      messages: { status: 403, body: messagesError('permission_error', 'Workspace w-1 may not.') },
    },
    thrown: { chat: secretive, messages: { class: 'InternalServerError', status: 500, type: 'api_error' } },
    message: /The provider refused the credentials of the gateway\./,
    failure: 'model-access',
  },
  {
    name: '429',
    vendor: {
      chat: { status: 429, headers: { 'retry-after': '7' }, body: chatError('Slow down.', 'requests', 'rate_limit_exceeded') },
      messages: { status: 429, headers: { 'retry-after': '7' }, body: messagesError('rate_limit_error', 'Slow down.') },
    },
    thrown: {
      chat: { class: 'RateLimitError', status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
      messages: { class: 'RateLimitError', status: 429, type: 'rate_limit_error' },
    },
    message: /Slow down\./,
    headers: { 'retry-after': '7' },
    failure: 'rate-limit',
  },
  {
    name: '429 with an absurd wait',
    vendor: {
      chat: { status: 429, headers: { 'retry-after': '1000000000' }, body: chatError('Slow down.', 'requests', 'rate_limit_exceeded') },
      messages: { status: 429, headers: { 'retry-after': '1000000000' }, body: messagesError('rate_limit_error', 'Slow down.') },
    },
    thrown: {
      chat: { class: 'RateLimitError', status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
      messages: { class: 'RateLimitError', status: 429, type: 'rate_limit_error' },
    },
    message: /Slow down\./,
    headers: { 'retry-after': '60' },
    failure: 'rate-limit',
  },
  {
    name: 'a spent quota, told before a rate limit',
    vendor: {
      chat: { status: 429, body: chatError('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota') },
      messages: { status: 400, body: messagesError('invalid_request_error', 'Your credit balance is too low.') },
    },
    thrown: {
      chat: { class: 'RateLimitError', status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
      messages: { class: 'PaymentRequiredError', status: 402, type: 'billing_error' },
    },
    message: /quota|credit balance/,
    headers: { 'x-should-retry': 'false' },
    failure: 'quota',
  },
  {
    name: '500',
    vendor: {
      chat: { status: 500, body: chatError('The server had an error.', 'server_error') },
      messages: { status: 500, body: messagesError('api_error', 'The server had an error.') },
    },
    thrown: badGateway,
    message: /The server had an error\./,
    failure: 'transient',
  },
  {
    name: 'overloaded',
    vendor: {
      chat: { status: 503, body: chatError('Overloaded.', 'server_error', 'overloaded') },
      messages: { status: 529, body: messagesError('overloaded_error', 'Overloaded.') },
    },
    thrown: overloaded,
    message: /Overloaded\./,
    failure: 'overloaded',
  },
  {
    name: '504',
    vendor: {
      chat: { status: 504, body: chatError('Too slow.', 'server_error') },
      messages: { status: 504, body: messagesError('timeout_error', 'Too slow.') },
    },
    thrown: {
      chat: { class: 'InternalServerError', status: 504, type: 'server_error', code: 'timeout' },
      messages: { class: 'GatewayTimeoutError', status: 504, type: 'timeout_error' },
    },
    message: /Too slow\./,
    failure: 'timeout',
  },
  {
    name: 'a page of a proxy in place of an error',
    vendor: { chat: { status: 502, body: page }, messages: { status: 502, body: page } },
    thrown: badGateway,
    message: /The provider failed\./,
    failure: 'transient',
  },
  {
    name: 'a page of a proxy in place of an answer',
    vendor: { chat: { status: 200, body: page }, messages: { status: 200, body: page } },
    thrown: badGateway,
    message: /The provider (?:answered|sent)/,
    failure: 'transient',
  },
  {
    name: 'an empty answer',
    vendor: { chat: { status: 200, body: '' }, messages: { status: 200, body: '' } },
    thrown: badGateway,
    message: /The provider (?:answered|sent)/,
    failure: 'transient',
  },
  {
    name: 'an error in the place of an answer',
    vendor: {
      chat: { status: 200, body: chatError('Overloaded.', 'server_error', 'overloaded') },
      messages: { status: 200, body: messagesError('overloaded_error', 'Overloaded.') },
    },
    thrown: overloaded,
    message: /Overloaded\./,
    failure: 'overloaded',
  },
  {
    name: 'a redirect, which is not followed',
    vendor: {
      chat: { status: 307, headers: { location: '/v1/elsewhere' }, body: '' },
      messages: { status: 307, headers: { location: '/v1/elsewhere' }, body: '' },
    },
    thrown: badGateway,
    message: /The provider answered with a redirect \(307\)/,
  },
];
