import { fromAll, fromVendors, googleError, messagesError, chatError, type FailureCase } from './failure-case.ts';

const page = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const badKey = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
};
const spent = {
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
};

const limited = (wait: string): FailureCase['vendor'] =>
  fromVendors(
    { status: 429, headers: { 'retry-after': wait }, body: chatError('Slow down.', 'requests', 'rate_limit_exceeded') },
    { status: 429, headers: { 'retry-after': wait }, body: messagesError('rate_limit_error', 'Slow down.') },
    // In the body: Google sends no header.
    {
      status: 429,
      body: googleError(429, 'RESOURCE_EXHAUSTED', 'Slow down.', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${wait}s` },
      ]),
    },
  );

/** The provider's failures, and the gateway's own standing with it: never shown as the client's fault. */
export const providerFaults: readonly FailureCase[] = [
  {
    name: 'bad credentials of the gateway',
    vendor: fromVendors(
      {
        status: 401,
        body: chatError('Incorrect API key provided: sk-upst****nai.', 'invalid_request_error', 'invalid_api_key'),
      },
      { status: 401, body: messagesError('authentication_error', 'invalid x-api-key upstream-secret-anthropic') },
      {
        status: 400,
        body: googleError(400, 'INVALID_ARGUMENT', 'API key not valid: upstream-secret-google', [badKey]),
      },
    ),
    kind: 'credentials',
    message: /The provider refused the credentials of the gateway\./,
    failure: 'credential',
  },
  {
    name: 'a 403 about the account',
    vendor: fromVendors(
      { status: 403, body: chatError('Your account was deactivated.', 'invalid_request_error', 'account_deactivated') },
      {
        status: 403,
        body: messagesError('permission_error', 'OAuth token has been revoked. Please obtain a new token.'),
      },
      {
        status: 403,
        body: googleError(403, 'PERMISSION_DENIED', 'Project p-1 may not.', [
          { ...badKey, reason: 'CONSUMER_SUSPENDED' },
        ]),
      },
    ),
    kind: 'credentials',
    message: /The provider refused the credentials of the gateway\./,
    failure: 'credential',
  },
  {
    name: 'a 429',
    vendor: limited('7'),
    kind: 'rate limit',
    message: /Slow down\./,
    headers: { 'retry-after': '7' },
    failure: 'rate-limit',
  },
  {
    name: 'a 429 with an absurd wait (E46)',
    vendor: limited('1000000000'),
    kind: 'rate limit',
    message: /Slow down\./,
    headers: { 'retry-after': '60' },
    failure: 'rate-limit',
  },
  {
    name: 'a spent quota, not a rate limit',
    vendor: fromVendors(
      { status: 429, body: chatError('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota') },
      { status: 400, body: messagesError('invalid_request_error', 'Your credit balance is too low.') },
      { status: 429, body: googleError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [spent]) },
    ),
    kind: 'quota',
    message: /quota|credit balance/,
    headers: { 'x-should-retry': 'false' },
    failure: 'quota',
  },
  {
    name: 'a 500',
    vendor: fromVendors(
      { status: 500, body: chatError('The server had an error.', 'server_error') },
      { status: 500, body: messagesError('api_error', 'The server had an error.') },
      { status: 500, body: googleError(500, 'INTERNAL', 'The server had an error.') },
    ),
    kind: 'bad gateway',
    message: /The server had an error\./,
    failure: 'transient',
  },
  {
    name: 'an overload',
    vendor: fromVendors(
      { status: 503, body: chatError('Overloaded.', 'server_error', 'overloaded') },
      { status: 529, body: messagesError('overloaded_error', 'Overloaded.') },
      { status: 503, body: googleError(503, 'UNAVAILABLE', 'Overloaded.') },
    ),
    kind: 'overloaded',
    message: /Overloaded\./,
    failure: 'overloaded',
  },
  {
    name: 'a 504',
    vendor: fromVendors(
      { status: 504, body: chatError('Too slow.', 'server_error') },
      { status: 504, body: messagesError('timeout_error', 'Too slow.') },
      { status: 504, body: googleError(504, 'DEADLINE_EXCEEDED', 'Too slow.') },
    ),
    kind: 'timeout',
    message: /Too slow\./,
    failure: 'timeout',
  },
  {
    name: 'a proxy page in place of an error',
    vendor: fromAll({ status: 502, body: page }),
    kind: 'bad gateway',
    message: /The provider failed\./,
    failure: 'transient',
  },
  {
    name: 'a proxy page in place of a response',
    vendor: fromAll({ status: 200, body: page }),
    kind: 'bad gateway',
    message: /The response of the provider is not (?:a )?JSON|The provider (?:responded to a streaming request|sent)/,
    failure: 'transient',
  },
  {
    name: 'an empty response',
    vendor: fromAll({ status: 200, body: '' }),
    kind: 'bad gateway',
    message: /The response of the provider is not (?:a )?JSON|The provider (?:responded to a streaming request|sent)/,
    failure: 'transient',
  },
  {
    name: 'an error in place of a response',
    vendor: fromVendors(
      { status: 200, body: chatError('Overloaded.', 'server_error', 'overloaded') },
      { status: 200, body: messagesError('overloaded_error', 'Overloaded.') },
      { status: 200, body: googleError(503, 'UNAVAILABLE', 'Overloaded.') },
    ),
    kind: 'overloaded',
    message: /Overloaded\./,
    failure: 'overloaded',
  },
  {
    name: 'a redirect, which is not followed',
    vendor: fromAll({ status: 307, headers: { location: '/v1/elsewhere' }, body: '' }),
    kind: 'bad gateway',
    message: /The provider responded with a redirect \(307\)/,
  },
];
