import { expect } from 'chai';
import { ExchangeState } from '../../../core/exchange/exchange-state.ts';
import { createStreamOutput, type StreamOutput } from '../../../core/exchange/stream-output.ts';
import { sse } from '../../../core/framing/sse.ts';
import type { Output } from '../../../core/api/index.ts';
import { createTestConnection, plainClient } from './pipeline-scene.ts';
import { createTestExchange, createTestHead, createTestTarget } from '../../../core/testing/index.ts';
import { createReply } from './sample-exchange.ts';
import { useSimulatedTime } from '../../support/time/simulated-time.ts';

const EVERY = 60;
const PING = 'event: ping\ndata: {}\n\n';
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('the keepalives of a stream after its first content', () => {
  useSimulatedTime();

  let stream: StreamOutput | undefined;
  const exchange = createTestExchange();
  const state = new ExchangeState(createTestHead(), {
    operation: 'generate',
    wire: 'chat-completions',
    traits: {},
    client: plainClient,
  });
  const start = (write: Output['write']): StreamOutput => {
    const parts = { framing: () => sse, stream: { openAfter: 10_000, keepaliveEvery: EVERY } };
    const connection = Object.assign(createTestConnection(''), { write });
    stream = createStreamOutput(parts, exchange, connection, plainClient);
    stream.start(exchange, state);
    stream.commit(exchange, state, createReply(createTestTarget('vendor/model')));
    return stream;
  };
  afterEach(() => stream?.stop());

  it('writes keepalives while nothing else is written', async () => {
    const written: unknown[] = [];
    start((bytes) => void written.push(bytes));
    await wait(EVERY * 4.5);
    expect(written).to.deep.equal([PING, PING, PING, PING]);
  });

  it('writes no keepalives while content arrives in time', async () => {
    const written: unknown[] = [];
    const output = start((bytes) => void written.push(bytes));
    for (let index = 0; index < 20; index += 1) {
      expect(output.write(`frame ${index}`)).to.equal(undefined);
      await wait(10);
    }
    expect(written).to.deep.equal(Array.from({ length: 20 }, (_, index) => `frame ${index}`));
  });

  it('writes no keepalives while a write waits for the client, and resumes after the client has read', async () => {
    const written: unknown[] = [];
    let drain = (): void => {};
    const output = start((bytes) => {
      written.push(bytes);
      return bytes === 'frame'
        ? new Promise((resolve) => {
            drain = resolve;
          })
        : undefined;
    });
    const pending = output.write('frame');
    await wait(EVERY * 3);
    expect(written).to.deep.equal(['frame']);
    drain();
    await pending;
    await wait(EVERY * 3);
    expect(written.slice(0, 2)).to.deep.equal(['frame', PING]);
  });

  it('stops keepalives when the response has ended', async () => {
    const written: unknown[] = [];
    start((bytes) => void written.push(bytes)).end(exchange, state);
    await wait(EVERY * 3);
    expect(written).to.deep.equal([]);
  });
});
