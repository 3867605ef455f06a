import { expect } from 'chai';
import type { FailureClass } from '../../../core/api/index.ts';
import { classify } from '../../../providers/bedrock/classify.ts';
import { converseCodec } from '../../../providers/bedrock/converse/index.ts';

type Row = readonly [status: number, type: string, message: string, failure: FailureClass];

/** https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html */
const rows: readonly Row[] = [
  [403, 'ExpiredTokenException', 'The security token included in the request is expired', 'credential'],
  [403, 'UnrecognizedClientException', 'The security token included in the request is invalid.', 'credential'],
  [403, 'InvalidSignatureException', 'The request signature we calculated does not match.', 'credential'],
  [403, 'AccessDeniedException', 'Authentication failed: Please make sure your API Key is valid.', 'credential'],
  [403, 'AccessDeniedException', "You don't have access to the model with the specified model ID.", 'model-access'],
  [429, 'ThrottlingException', 'Too many tokens, please wait before trying again.', 'rate-limit'],
  [429, 'ThrottlingException', 'Too many tokens per day, please wait before trying again.', 'quota'],
  [429, 'ModelNotReadyException', 'The model is not ready.', 'overloaded'],
  [400, 'ServiceQuotaExceededException', 'Your account exceeds its quota.', 'quota'],
  [400, 'ValidationException', 'The provided model identifier is invalid.', 'model-gone'],
  [404, 'ResourceNotFoundException', 'This model version has reached the end of its life. Use another.', 'model-gone'],
  [
    400,
    'ValidationException',
    'Invocation of model ID amazon.nova-pro-v1:0 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
    'model-gone',
  ],
  [
    400,
    'ValidationException',
    'Access to Anthropic models is not allowed from unsupported countries, regions, or territories.',
    'region',
  ],
  [408, 'ModelTimeoutException', 'The model timed out.', 'timeout'],
  [424, 'ModelErrorException', 'The model failed.', 'transient'],
  [500, 'InternalServerException', 'It failed.', 'transient'],
  [503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.', 'overloaded'],
];

const reply = (status: number, type: string, message: string) => ({
  status,
  headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
  body: { message },
});

describe('bedrock: failures', () => {
  for (const [status, type, message, failure] of rows)
    it(`${status} ${type} "${message.slice(0, 40)}" is ${failure}`, () => {
      expect(classify(reply(status, type, message))).to.equal(failure);
    });

  it('what is wrong with the request is left to the wire, which makes it a fault of the caller', () => {
    const given = reply(400, 'ValidationException', 'The value at toolConfig is not valid.');
    expect(classify(given)).to.equal(undefined);
    expect(converseCodec.upstream?.decodeError(given)).to.deep.include({ failure: 'caller-fault', status: 400 });
  });

  it('a caller who writes the words of a failure into the prompt does not cause it', () => {
    const message = 'The provided model identifier is invalid.';
    const refused = { model: 'm', body: Buffer.from(JSON.stringify({ messages: [{ content: message }] })) };
    expect(classify({ ...reply(400, 'ValidationException', message), refused })).to.equal(undefined);
  });

  it('a prompt that is too long has the code for it', () => {
    const given = reply(400, 'ValidationException', 'Input is too long for requested model.');
    expect(converseCodec.upstream?.decodeError(given).code).to.equal('context_length_exceeded');
  });

  it('the exception can be named in the body, with a namespace before it', () => {
    const body = { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'It ended.' };
    expect(classify({ status: 403, headers: {}, body })).to.equal('credential');
  });
});
