import { expect } from 'chai';
import { GatewayError } from '../../../core/api/index.ts';
import type { EventFilter } from '../../../core/api/codec.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { until } from '../../support/until.ts';
import { jsonArray } from '../../../core/framing/json-array.ts';
import { sse } from '../../../core/framing/sse.ts';
import { createBody, deliver, frame, lanes, openNative, openScripted } from './scripted-stream.ts';

for (const lane of lanes) {
  const opening = lane === 'native' ? frame('start') : frame('response-start') + frame('part-start');
  const closing = lane === 'native' ? frame('end') : frame('usage') + frame('response-end');

  describe(`a stream on the ${lane} lane, before its first content`, () => {
    it(`holds the stream on the ${lane} lane until the first content, and delivers the held frames first`, async () => {
      const { state, body } = createBody([frame('start'), 20, frame('one'), 20, frame('two'), frame('end')]);
      const reply = await openScripted(lane, body);
      expect(state.reads, 'nothing is read ahead of the first content').to.equal(2);
      expect(reply.waitedMs).to.be.within(15, 60_000);
      const { writes, text, ending } = await deliver(reply);
      expect(text).to.equal(opening + frame('one') + frame('two') + closing);
      expect(writes[0]).to.equal(opening + frame('one'));
      expect(ending).to.include({ reason: 'complete', outputChars: 6 });
    });

    it(`rejects a reply on the ${lane} lane with the error event of the upstream, and drops the connection`, async () => {
      const { state, body } = createBody([frame('start') + frame('error'), frame('one')]);
      expect((await catchRejection(openScripted(lane, body))).code).to.equal('upstream_overloaded');
      expect(state.returned).to.equal(1);
    });

    it(`rejects a reply on the ${lane} lane if the body ends before content`, async () => {
      for (const chunks of [[], [frame('start')], [frame('start'), ': comment\n\n']]) {
        expect((await catchRejection(openScripted(lane, createBody(chunks).body))).code).to.equal('upstream_truncated');
      }
    });

    it(`rejects a reply on the ${lane} lane with the fault of the transport`, async () => {
      const fault = new GatewayError('upstream_reset');
      const { state, body } = createBody([frame('start'), fault]);
      expect(await catchRejection(openScripted(lane, body))).to.equal(fault);
      expect(state.returned).to.equal(1);
    });

    it(`rejects a reply on the ${lane} lane with an internal error if a codec throws`, async () => {
      const { state, body } = createBody([frame('start') + frame('throw')]);
      expect((await catchRejection(openScripted(lane, body))).code).to.equal('internal_error');
      expect(state.returned).to.equal(1);
    });

    it(`rejects a frame on the ${lane} lane that is longer than the limit`, async () => {
      const { state, body } = createBody([frame('start'), `data: ${'x'.repeat(8_388_700)}`]);
      expect((await catchRejection(openScripted(lane, body))).code).to.equal('upstream_bad_response');
      expect(state.returned).to.equal(1);
    });

    it(`completes a response without content on the ${lane} lane if it ends properly`, async () => {
      const { text, ending } = await deliver(await openScripted(lane, createBody([frame('start'), frame('end')]).body));
      expect(text).to.equal(opening + closing);
      expect(ending.reason).to.equal('complete');
    });

    it(`releases the upstream on the ${lane} lane if the reply is cancelled undelivered`, async () => {
      const { state, body } = createBody([frame('one'), 60_000]);
      (await openScripted(lane, body)).cancel(new GatewayError('client_closed'));
      expect(state.returned).to.equal(1);
    });
  });

  describe(`a stream on the ${lane} lane, after its first content`, () => {
    const failures: readonly (readonly [
      what: string,
      chunks: readonly (string | Error)[],
      reason: string,
      errorText: string,
    ])[] = [
      [
        'the upstream’s error event',
        [frame('error')],
        'upstream_error_event',
        lane === 'native' ? frame('error') : frame('error upstream_overloaded'),
      ],
      ['the end of its bytes', [], 'truncated', frame('error upstream_truncated')],
      ['a reset', [new GatewayError('upstream_reset')], 'upstream_reset', frame('error upstream_reset')],
      ['silence', [new GatewayError('upstream_timeout')], 'idle_timeout', frame('error upstream_timeout')],
      [
        'a bug of a codec',
        [frame('two') + frame('throw') + frame('three')],
        'gateway_error',
        frame('two') + frame('error internal_error'),
      ],
      ['a drain', [new GatewayError('shutting_down')], 'drain', frame('error shutting_down')],
    ];
    for (const [what, chunks, reason, errorText] of failures) {
      it(`a stream that ends by ${what} on the ${lane} lane ends with an error in the client's wire`, async () => {
        const { state, body } = createBody([frame('start') + frame('one'), ...chunks]);
        const { text, ending } = await deliver(await openScripted(lane, body));
        expect(text).to.equal(opening + frame('one') + errorText);
        expect(ending.reason).to.equal(reason);
        expect(ending.error).to.be.instanceOf(GatewayError);
        expect(state.returned, 'the connection is dropped at once').to.equal(1);
      });
    }

    it(`writes nothing on the ${lane} lane to a client that has left`, async () => {
      const { body, state } = createBody([frame('one'), new GatewayError('client_closed')]);
      const { writes, ending } = await deliver(await openScripted(lane, body));
      expect(writes).to.have.length(1);
      expect(ending.reason).to.equal('client_closed');
      expect(state.returned).to.equal(1);
    });

    it(`ends on the ${lane} lane at the terminal: what follows is neither sent nor an error`, async () => {
      const { text, ending } = await deliver(
        await openScripted(
          lane,
          createBody([frame('one') + frame('end') + frame('more') + frame('error'), frame('throw')]).body,
        ),
      );
      expect(text).to.equal(frame('one') + closing);
      expect(ending.reason).to.equal('complete');
    });

    it(`reads the rest of a complete response on the ${lane} lane, so that its connection can be reused`, async () => {
      const { state, body } = createBody([frame('one') + frame('end'), 10, ': bye\n\n']);
      await deliver(await openScripted(lane, body));
      await until('the end of the body', () => state.ended);
      expect(state.returned).to.equal(0);
    });

    it(`closes the connection on the ${lane} lane if a complete response does not end`, async () => {
      const { state, body } = createBody([frame('one') + frame('end'), 60_000]);
      await deliver(await openScripted(lane, body));
      expect(state.returned).to.equal(0);
      await until('the connection is given up', () => state.returned === 1);
    });

    it(`waits on the ${lane} lane for a slow client before it reads more`, async () => {
      const { state, body } = createBody([frame('one'), frame('two'), frame('end')]);
      const reply = await openScripted(lane, body);
      let drain = (): void => {};
      const pending = reply.deliver({
        write: () =>
          new Promise((resolve) => {
            drain = resolve;
          }),
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(state.reads).to.equal(1);
      drain();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(state.reads).to.equal(2);
      const timer = setInterval(() => drain(), 5);
      expect((await pending).reason).to.equal('complete');
      clearInterval(timer);
    });
  });
}

describe('a stream on the native lane', () => {
  it('passes every byte of a stream unchanged, including comments and unusual line endings', async () => {
    const bytes = [
      ': hello\r\n\r\n',
      'event:x\r\ndata:start\r\n\r\n',
      'id: 7\ndata: one\n\n',
      'data: ping\n\n',
      'data: two\n: inside\n\n',
      'data: end\n\n',
    ];
    const { text } = await deliver(await openScripted('native', createBody(bytes).body));
    expect(text).to.equal(bytes.join(''));
  });

  for (const tail of ['data: end', 'data: end\n', 'data: end\r\n']) {
    it(`adds the separator to a last frame without one (${JSON.stringify(tail)})`, async () => {
      const { body } = createBody([frame('start'), frame('a'), tail]);
      expect((await deliver(await openScripted('native', body))).text).to.equal(
        `${frame('start')}${frame('a')}${tail}\n\n`,
      );
    });
  }
  it('passes frames on unchanged even if they arrive byte by byte', async () => {
    const bytes = `${frame('start')}${frame('wörds 😀')}${frame('end')}`;
    const source: AsyncIterable<Uint8Array> = {
      async *[Symbol.asyncIterator]() {
        for (const byte of Buffer.from(bytes)) yield Uint8Array.of(byte);
      },
    };
    expect((await deliver(await openScripted('native', source))).text).to.equal(bytes);
  });

  it('withholds frames that the client did not request', async () => {
    const { text } = await deliver(
      await openScripted('native', createBody([frame('one') + frame('secret') + frame('end')]).body),
    );
    expect(text).to.equal(frame('one') + frame('end'));
  });
});

describe('a JSON array on the native lane', () => {
  const content = '{"a":1}';
  for (const upstream of [jsonArray, sse]) {
    it(`keeps the output a JSON array, from ${upstream.name}`, async () => {
      const chunks = upstream === sse ? [frame(content), frame(content)] : [`[${content}`, `,${content}\n,`];
      const { text } = await deliver(await openNative(createBody(chunks).body, upstream, jsonArray));
      expect(text).to.equal(`[${content},\r\n${content},\r\nerror upstream_truncated]`);
    });
  }
});

describe('a stream on the translated lane', () => {
  it('a stream passes through the filter of the fits', async () => {
    const filter: EventFilter = {
      push: (event, emit) => emit(event.type === 'part-delta' ? { ...event, text: event.text.toUpperCase() } : event),
    };
    const { text } = await deliver(
      await openScripted('translated', createBody([frame('one') + frame('end')]).body, filter),
    );
    expect(text).to.equal(frame('ONE') + frame('usage') + frame('response-end'));
  });

  it('a stream ends with an error if the writer throws', async () => {
    const { text, ending } = await deliver(
      await openScripted('translated', createBody([frame('one') + frame('throw-later') + frame('end')]).body),
    );
    expect(text).to.equal(frame('one') + frame('error internal_error'));
    expect(ending.reason).to.equal('gateway_error');
  });
});
