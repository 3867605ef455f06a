import { expect } from 'chai';
import { upstreamError } from '../../../core/api/codec.ts';

describe('secrets in the error of a vendor', () => {
  it('redacts secrets in the message and the body of an error', () => {
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

  it('keeps the body of an error without secrets unchanged', () => {
    const body = { error: { message: 'key_name is not a risky-word', n: 1 } };
    expect(upstreamError('chat-completions', { status: 400, headers: {}, body }).vendor?.body).to.equal(body);
  });

  it('redacts secrets in the param of an error', () => {
    const reply = { status: 400, headers: {}, body: {} };
    const { param } = upstreamError('chat-completions', reply, {
      message: 'no',
      param: 'Bearer sk-live-abcdef12345678',
    });
    expect(param).to.equal('[redacted]');
  });
});
