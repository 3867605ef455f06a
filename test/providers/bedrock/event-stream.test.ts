import { expect } from 'chai';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GatewayError } from '../../../core/api/index.ts';
import type { Frame } from '../../../core/api/codec.ts';
import { decodeFrames, rechunk } from '../../../core/testing/index.ts';
import { EventStreamDecoder } from '../../../providers/bedrock/event-stream/decoder.ts';
import { eventStream, messagesEventStream } from '../../../providers/bedrock/event-stream/framings.ts';
import { chunk, event, exception, writeEvents } from './write-events.ts';

interface Vector {
  readonly name: string;
  readonly bytes: string;
  readonly payload?: string;
  readonly refused?: true;
}
const file = fileURLToPath(new URL('../../fixtures/aws/event-streams.json', import.meta.url));
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Vector[] };

const LIMIT = 1_000_000;
const read = (bytes: Uint8Array, frameBytes = LIMIT): readonly Frame[] => {
  const frames: Frame[] = [];
  const decoder = new EventStreamDecoder(frameBytes, ({ event: name, text }) => ({ event: name, data: text }));
  decoder.push(bytes, (frame) => frames.push(frame));
  return frames;
};
const failureOf = (bytes: Uint8Array, frameBytes = LIMIT): unknown => {
  try {
    return read(bytes, frameBytes);
  } catch (thrown) {
    return GatewayError.is(thrown) ? thrown.code : thrown;
  }
};
const withoutRaw = (frames: readonly Frame[]): readonly Frame[] =>
  frames.map(({ event: name, data }) => ({ event: name, data }));

describe('bedrock: event streams', () => {
  for (const { name, bytes, payload, refused } of cases) {
    // The decoder waits for the rest of a message whose damaged length is longer than what has arrived.
    const limit = name === 'corrupted-length' ? 1_000 : LIMIT;
    if (name !== 'duplicate-header')
      it(`a message is ${refused ? 'refused' : 'read'} as the published vectors say: ${name}`, () => {
        const given = Buffer.from(bytes, 'hex');
        if (refused) expect(failureOf(given, limit)).to.equal('upstream_bad_response');
        else if (name !== 'error-event-message') expect(read(given).map(({ data }) => data)).to.deep.equal([payload]);
        else expect(read(given).map(({ data }) => data)).to.deep.equal(['{"message":"message"}']);
      });
  }

  const stream = writeEvents([
    event('messageStart', { role: 'assistant' }),
    event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'für 😀' } }),
    exception('throttlingException', 'Too many requests.'),
  ]);

  it('frames are the same however the bytes are split, and keep their exact bytes', () => {
    const whole = decodeFrames([stream], eventStream);
    expect(Buffer.concat(whole.map(({ raw }) => raw ?? Buffer.of()))).to.deep.equal(stream);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 40 }), (cuts) => {
        expect(decodeFrames(rechunk(stream, cuts), eventStream)).to.deep.equal(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('an event has its name and its payload, an exception its type and its message', () => {
    expect(withoutRaw(decodeFrames([stream], eventStream))).to.deep.equal([
      { event: 'messageStart', data: '{"role":"assistant"}' },
      { event: 'contentBlockDelta', data: '{"contentBlockIndex":0,"delta":{"text":"für 😀"}}' },
      { event: 'exception', data: '{"type":"throttlingException","message":"Too many requests."}' },
    ]);
  });

  it('any bit that changes is noticed by a checksum or by the length', () => {
    const one = writeEvents([event('contentBlockDelta', { delta: { text: 'abc' } })]);
    for (let at = 0; at < one.length; at += 1) {
      const damaged = Buffer.from(one);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      const result = failureOf(damaged, one.length);
      // A length that is longer by one waits for a byte, and the stream ends without it.
      if (Array.isArray(result)) expect(result, `byte ${at}`).to.deep.equal([]);
      else expect(result, `byte ${at}`).to.equal('upstream_bad_response');
    }
  });

  it('a message that is longer than the limit is refused at its length, before its content arrives', () => {
    expect(failureOf(stream.subarray(0, 4), 200)).to.deep.equal([]);
    expect(failureOf(Buffer.from([0, 0, 1, 0]), 100)).to.equal('upstream_bad_response');
    expect(failureOf(Buffer.from([0, 0, 0, 5]), 100)).to.equal('upstream_bad_response');
  });

  it('a message that was cut off is not a frame', () => {
    expect(decodeFrames([stream.subarray(0, -1)], eventStream)).to.have.lengthOf(2);
  });

  it('a chunk is an event of the messages wire, an exception its error event, and other events are none', () => {
    const bytes = writeEvents([
      chunk({ type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 3 } }),
      event('initial-response', {}),
      exception('serviceUnavailableException', 'Try again.'),
      exception('internalServerException', 'It failed.'),
    ]);
    const error = (type: string, message: string): string =>
      JSON.stringify({ type: 'error', error: { type, message } });
    expect(withoutRaw(decodeFrames([bytes], messagesEventStream))).to.deep.equal([
      {
        event: 'message_stop',
        data: '{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":3}}',
      },
      { event: undefined, data: '' },
      { event: 'error', data: error('overloaded_error', 'Try again.') },
      { event: 'error', data: error('api_error', 'It failed.') },
    ]);
  });
});
