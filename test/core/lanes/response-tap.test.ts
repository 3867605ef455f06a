import { expect } from 'chai';
import { GatewayError } from '../../../core/errors/gateway-error.ts';
import { createResponseTap } from '../../../core/lanes/response-tap.ts';

const tapOf = (read: Parameters<typeof createResponseTap>[0]) =>
  createResponseTap(read, (error, write) => write('error', error.code));

describe('the tap of a response that is never streamed', () => {
  it('the response tap records what is read from the body', () => {
    const tap = tapOf((body) => ({ model: String(body) }));
    expect(tap.observed).to.deep.equal({ outputChars: 0 });
    tap.inspectBody('m');
    expect(tap.observed).to.deep.equal({ outputChars: 0, model: 'm' });
    expect(tap.end()).to.equal(undefined);
  });

  it('the response tap records an invalid body as a GatewayError', () => {
    const broken = tapOf(() => {
      throw new GatewayError('upstream_bad_response');
    });
    broken.inspectBody({});
    expect(broken.observed.error?.code).to.equal('upstream_bad_response');
    const faulty = tapOf(() => {
      throw new RangeError('oops');
    });
    faulty.inspectBody({});
    expect(faulty.observed.error?.code).to.equal('internal_error');
  });

  it('the response tap writes a failure in the shape of its wire', () => {
    const written: unknown[] = [];
    tapOf(() => ({})).fail(new GatewayError('upstream_error'), (event, data) => void written.push(event, data));
    expect(written).to.deep.equal(['error', 'upstream_error']);
  });
});
