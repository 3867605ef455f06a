import { expect } from 'chai';
import { GatewayError } from '../../../core/api/index.ts';
import { createEventDecoder, type EventWriter, type FrameReader, type GenerateEvent } from '../../../core/api/codec.ts';

/** What the decoder of a reader emits for these frames, and at the end of the stream. */
const decode = (create: (events: EventWriter) => FrameReader, ...frames: readonly string[]) => {
  const decoder = createEventDecoder(create);
  const emitted: GenerateEvent[] = [];
  for (const data of frames) decoder.push({ event: undefined, data }, (event) => void emitted.push(event));
  decoder.end((event) => void emitted.push(event));
  return emitted.map((event) =>
    event.type === 'part-delta' ? event.text : event.type === 'error' ? event.error.code : event.type,
  );
};
const finish = (events: EventWriter): void => events.choice(0).finish({ reason: 'stop' });

describe('a decoder of a reader of frames', () => {
  it('passes frames that have data, until the response has ended', () => {
    const pushed: string[] = [];
    const create = (events: EventWriter): FrameReader => ({
      push: ({ data }) => {
        pushed.push(data);
        if (data !== '.') return events.choice(0).text(data);
        finish(events);
        events.end();
      },
      end: () => void pushed.push('end'),
    });
    expect(decode(create, 'a', '', '.', 'b')).to.deep.equal([
      'response-start',
      'part-start',
      'a',
      'part-end',
      'choice-end',
      'response-end',
    ]);
    expect(pushed).to.deep.equal(['a', '.']);
  });

  it('a stream that was cut is a truncation; one whose choices have finished is complete', () => {
    expect(decode((events) => ({ push: ({ data }) => events.choice(0).text(data) }), 'a').at(-1)).to.equal(
      'upstream_truncated',
    );
    expect(decode((events) => ({ push: () => finish(events) }), 'a').at(-1)).to.equal('response-end');
    expect(decode((events) => ({ push: () => {}, end: () => finish(events) })).at(-1)).to.equal('response-end');
  });

  it('an error that the reader throws ends the response', () => {
    const fail = (): never => {
      throw new GatewayError('upstream_overloaded');
    };
    expect(decode(() => ({ push: fail }), 'a', 'b')).to.deep.equal(['upstream_overloaded']);
    expect(decode(() => ({ push: () => {}, end: fail }))).to.deep.equal(['upstream_overloaded']);
  });

  it('another exception is a fault of the reader, and is thrown', () => {
    const fail = (): never => {
      throw new TypeError('broken');
    };
    expect(() => decode(() => ({ push: fail }), 'a')).to.throw(TypeError, 'broken');
  });
});
