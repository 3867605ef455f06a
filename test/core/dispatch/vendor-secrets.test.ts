import { expect } from 'chai';
import { upstreamError } from '../../../core/index.ts';

describe("a vendor's error", () => {
  it('keeps no secret in its message or its body', () => {
    const body = {
      error: {
        message: 'Incorrect API key provided: sk-vendor-abcdef of org-abc12345678',
        type: 'invalid_request_error',
      },
    };
    const error = upstreamError('chat-completions', { status: 400, headers: {}, body });
    expect(error.message).to.equal('Incorrect API key provided: [redacted] of [redacted]');
    expect(error.vendor?.body).to.deep.equal({
      error: { message: 'Incorrect API key provided: [redacted] of [redacted]', type: 'invalid_request_error' },
    });
  });

  it('keeps its body as it is where there is none', () => {
    const body = { error: { message: 'key_name is not a risky-word', n: 1 } };
    expect(upstreamError('chat-completions', { status: 400, headers: {}, body }).vendor?.body).to.equal(body);
  });

  it('keeps none in the member that it names either', () => {
    const reply = { status: 400, headers: {}, body: {} };
    const { param } = upstreamError('chat-completions', reply, {
      message: 'no',
      param: 'Bearer sk-live-abcdef12345678',
    });
    expect(param).to.equal('[redacted]');
  });
});
