import { expect } from 'chai';
import type { FailureClass } from '../../../../core/api/index.ts';
import { classify } from '../../../../providers/openai/azure/classify.ts';
import { createVendorErrors } from '../../../../providers/openai/vendor-error.ts';

const { decodeError } = createVendorErrors('chat-completions');

/** As the gateway classifies: the provider first, then the wire. */
const failureOf = (status: number, body: unknown, request = '{}'): FailureClass => {
  const reply = { status, headers: {}, body, refused: { model: 'gpt-4.1', body: Buffer.from(request) } };
  return classify(reply) ?? decodeError(reply).failure;
};

const HIGH_DEMAND =
  'The system is currently experiencing high demand and cannot process your request. Your request exceeds the maximum usage size allowed during peak load.';
const FIREWALL = 'Access denied due to Virtual Network/Firewall rules.';

const failures: readonly (readonly [status: number, error: object, failure: FailureClass])[] = [
  [401, { code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' }, 'credential'],
  [401, { code: 'PermissionDenied', message: 'The principal lacks the required data action.' }, 'credential'],
  [403, { code: '403', message: FIREWALL }, 'credential'],
  [
    403,
    { code: 'AccessDenied', message: 'Public access is disabled. Please configure private endpoint.' },
    'credential',
  ],
  [404, { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' }, 'model-gone'],
  [404, { code: '404', message: 'Resource not found' }, 'model-gone'],
  [400, { code: 'BadRequest', message: 'API version not supported' }, 'model-gone'],
  [
    400,
    {
      code: 'OperationNotSupported',
      message: 'The chatCompletion operation does not work with the specified model, x.',
    },
    'unsuitable',
  ],
  [400, { code: 'content_filter', message: 'The response was filtered.', param: 'prompt' }, 'caller-fault'],
  [400, { code: 'BadRequest', message: 'Invalid value for temperature.' }, 'caller-fault'],
  [424, { code: 'FailedDependency', message: 'The model failed.' }, 'transient'],
  [
    429,
    { code: '429', message: 'Requests to the ChatCompletions_Create Operation have exceeded the token rate limit.' },
    'rate-limit',
  ],
  [429, { code: 'RateLimitReached', message: 'Your requests have exceeded rate limit.' }, 'rate-limit'],
  [429, { code: 'NoCapacity', message: HIGH_DEMAND }, 'overloaded'],
  [429, { code: 'too_many_requests', message: HIGH_DEMAND }, 'overloaded'],
  [429, { code: 'insufficient_quota', message: 'You exceeded your current quota.' }, 'quota'],
  [503, { code: 'InternalServerError', message: 'Try again.' }, 'overloaded'],
  [500, { code: 'InternalServerError', message: 'Try again.' }, 'transient'],
  [408, { code: 'Timeout', message: 'The operation was timeout.' }, 'timeout'],
];

describe('Azure OpenAI: the classes of failures', () => {
  for (const [status, error, failure] of failures)
    it(`a ${status} with ${JSON.stringify(error).slice(0, 70)}… is ${failure}`, () => {
      expect(failureOf(status, { error })).to.equal(failure);
    });

  it('a spent quota of API Management, whose body has no error object, is recognised', () => {
    const message = 'Out of call volume quota. Quota will be replenished in 10:00:00.';
    expect(failureOf(403, { statusCode: 403, message })).to.equal('quota');
  });

  it('a message of the account that the request contains does not count', () => {
    const echoed = JSON.stringify({ messages: [{ role: 'user', content: FIREWALL }] });
    expect(failureOf(403, { error: { code: '403', message: FIREWALL } }, echoed)).to.equal('caller-fault');
  });
});
