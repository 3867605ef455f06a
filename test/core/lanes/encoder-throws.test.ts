import { expect } from 'chai';
import { sse } from '../../../core/framing/sse.ts';
import type { EventDecoder, EventEncoder } from '../../../core/api/codec.ts';
import { TranslatedRelay } from '../../../core/lanes/translated/relay.ts';

const decoder: EventDecoder = { push: (_frame, emit) => emit({ type: 'response-end' }), end: () => {} };
const frame = { event: undefined, data: 'x' };

const relayWith = (encoder: EventEncoder) => {
  if (sse.writer === undefined) throw new Error('sse can be written');
  return new TranslatedRelay({ sources: [{ decoder, filter: undefined }], encoder, writer: sse.writer });
};

describe('a codec that throws at the end of a stream', () => {
  it('ends the stream with the error of the wire, not as a success, if the codec throws at the end', () => {
    const relay = relayWith({
      push: (event, write) => {
        if (event.type === 'response-end') throw new Error('broken');
        if (event.type === 'error') write(undefined, event.error.code);
      },
    });
    relay.push(frame, 0);
    expect(relay.state.failure?.code).to.equal('internal_error');
    expect(relay.take()).to.equal('data: internal_error\n\n');
    expect(relay.state.ended).to.equal(true);
  });
});
