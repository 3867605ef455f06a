import { expect } from 'chai';
import type { FailureClass } from '../../../core/api/index.ts';
import { createVendorErrors } from '../../../providers/openai/vendor-error.ts';

const { decodeError, decodeEmbeddedError } = createVendorErrors('chat-completions');

interface Refusal {
  readonly message?: string;
  readonly code?: string | number | null;
  readonly type?: string;
  readonly param?: string | null;
}
const failureOf = (status: number, error: Refusal, request = '{}', model = 'gpt-4.1'): FailureClass =>
  decodeError({
    status,
    headers: {},
    body: { error: { message: 'x', ...error } },
    refused: { model, body: Buffer.from(request) },
  }).failure;

const QUOTA =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.';
const accounts: readonly (readonly [status: number, message: string, failure: FailureClass])[] = [
  [429, QUOTA, 'quota'],
  [400, 'Insufficient Balance', 'quota'],
  [429, 'Insufficient balance or no resource package. Please recharge.', 'quota'],
  [
    403,
    'Your team 0000-1111 has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.',
    'quota',
  ],
  [
    403,
    "Your newly created team doesn't have any credits or licenses yet. You can purchase those on https://console.x.ai/team/0000.",
    'quota',
  ],
  [400, 'Incorrect API key provided. You can obtain an API key from https://console.x.ai.', 'credential'],
];

describe('an error of llama.cpp', () => {
  it('media that the model cannot read are the fault of the caller, also with the status 500', () => {
    const message = 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj';
    expect(failureOf(500, { message, type: 'server_error', code: 500 })).to.equal('caller-fault');
    expect(failureOf(500, { message: 'slot unavailable', type: 'server_error', code: 500 })).to.equal('transient');
  });
});

describe('an account error without a code, on the wires of OpenAI', () => {
  for (const [status, message, failure] of accounts) {
    it(`recognises an account error by its whole message: "${message.slice(0, 40)}…"`, () => {
      const otherwise = status === 429 ? 'rate-limit' : 'caller-fault';
      expect(failureOf(status, { message })).to.equal(failure);
      for (const wording of [
        `Unrecognized request argument supplied: ${message}`,
        `${message} x`,
        message.slice(1),
        `"${message}"`,
      ])
        expect(failureOf(status, { message: wording }), wording).to.equal(otherwise);
    });

    it(`ignores an account error's message that the request contains: "${message.slice(0, 40)}…"`, () => {
      const otherwise = status === 429 ? 'rate-limit' : 'caller-fault';
      for (const request of [
        { [message]: 1 },
        { user: message.toUpperCase() },
        { tools: [JSON.stringify({ a: message })] },
      ])
        expect(failureOf(status, { message }, JSON.stringify(request))).to.equal(otherwise);
    });

    it(`ignores an account error's message inside a response: "${message.slice(0, 40)}…"`, () => {
      expect(decodeEmbeddedError({ error: { message, type: 'invalid_request_error' } }).failure).to.equal(
        'caller-fault',
      );
    });
  }

  it('classifies an account error by its code wherever the message appears', () => {
    expect(failureOf(429, { message: QUOTA, code: 'insufficient_quota' }, JSON.stringify({ user: QUOTA }))).to.equal(
      'quota',
    );
    expect(failureOf(402, { message: 'Insufficient Balance' }, '{"user":"insufficient balance"}')).to.equal('quota');
  });
});

describe('an error about the model, on the wires of OpenAI', () => {
  const kinds: readonly (readonly [what: string, status: number, error: Refusal, failure: FailureClass])[] = [
    ['by its code', 404, { code: 'model_not_found' }, 'model-gone'],
    ['by its code and param', 400, { code: 'model_not_found', param: 'model' }, 'model-gone'],
    ['by its param', 404, { param: 'model', code: null }, 'model-gone'],
    [
      'as vLLM writes it',
      404,
      { message: 'The model `gpt-4.1` does not exist.', type: 'NotFoundError', code: 404 },
      'model-gone',
    ],
    ['as Ollama writes it', 404, { message: "model 'gpt-4.1' not found" }, 'model-gone'],
    [
      'as Ollama writes it, with a tag',
      404,
      { message: 'model "gpt-4.1:latest" not found, try pulling it first' },
      'model-gone',
    ],
    [
      'as xAI writes it',
      404,
      {
        message:
          'The model gpt-4.1 does not exist or your team 0000 does not have access to it. Please contact support.',
      },
      'model-gone',
    ],
    ['blocked for the project', 403, { code: 'model_permission_blocked_project' }, 'model-access'],
    ['of another model', 404, { message: 'The model `other` does not exist.' }, 'caller-fault'],
    ['of the model of a tool', 400, { code: 'model_not_found', param: 'tools[0].model' }, 'caller-fault'],
    ['of a file', 404, { message: 'No such File object: file-1' }, 'caller-fault'],
    [
      'of an earlier response',
      404,
      { param: 'previous_response_id', code: 'previous_response_not_found' },
      'caller-fault',
    ],
    [
      'of access, without a code',
      403,
      { message: 'You have insufficient permissions for this operation.' },
      'caller-fault',
    ],
    [
      'of a tool’s server',
      401,
      { code: 'http_error', type: 'external_connector_error', param: 'tools' },
      'caller-fault',
    ],
    ['of a locked conversation', 409, { code: 'conversation_locked' }, 'caller-fault'],
    ['of a region', 403, { code: 'unsupported_country_region_territory' }, 'region'],
  ];
  for (const [what, status, error, failure] of kinds)
    it(`classifies an error as ${failure}: ${what}`, () => expect(failureOf(status, error)).to.equal(failure));

  it("an error about the model is a caller fault when it can be the client's own text", () => {
    const message = 'The model `gpt-4.1` does not exist.';
    expect(failureOf(404, { message }, JSON.stringify({ user: message }))).to.equal('caller-fault');
  });
});

describe('a request that is larger than a rate limit, on the wires of OpenAI', () => {
  it('a request larger than a rate limit goes to another target without a credential cooldown', () => {
    for (const status of [413, 429]) {
      const error = {
        message:
          'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 61337.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      };
      expect(failureOf(status, error)).to.equal('unsuitable');
      expect(decodeError({ status, headers: {}, body: { error } })).to.include({
        code: 'upstream_rate_limit',
        status: 429,
      });
    }
    expect(failureOf(429, { message: 'Rate limit reached for gpt-4o', code: 'rate_limit_exceeded' })).to.equal(
      'rate-limit',
    );
  });
});
