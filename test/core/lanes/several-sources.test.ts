import { expect } from 'chai';
import { GatewayError, type Reply } from '../../../core/api/index.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { until } from '../../support/until.ts';
import { createBody, deliver, frame, openSources } from './scripted-stream.ts';
import { useSimulatedTime } from '../../support/time/simulated-time.ts';

type Chunks = Parameters<typeof createBody>[0];
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const open = (
  ...scripts: readonly Chunks[]
): { readonly pending: Promise<Reply>; readonly bodies: readonly ReturnType<typeof createBody>[] } => {
  const bodies = scripts.map((chunks) => createBody(chunks));
  return { bodies, pending: openSources(bodies.map(({ body }) => body)) };
};

describe('one stream of several sources', () => {
  useSimulatedTime();

  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  before(() => void process.on('unhandledRejection', note));
  beforeEach(() => {
    unhandled.length = 0;
  });
  afterEach(() => expect(unhandled).to.deep.equal([]));
  after(() => void process.off('unhandledRejection', note));

  it('a reply of several sources ends when all sources have ended, even the slowest', async () => {
    const { pending, bodies } = open(
      [frame('start'), frame('a'), frame('end')],
      [30, frame('start'), 30, frame('b') + frame('end')],
      [frame('start') + frame('c') + frame('end')],
    );
    const { text, ending } = await deliver(await pending);
    for (const word of ['a', 'b', 'c']) expect(text.split(frame(word)), `${word} in ${text}`).to.have.length(2);
    expect(text.split(frame('response-end'))).to.have.length(2);
    expect(ending).to.include({ reason: 'complete', outputChars: 3 });
    await until('all bodies are read to their ends', () => bodies.every(({ state }) => state.ended));
  });

  it('a reply of several sources rejects if one source fails before any content, and drops all sources', async () => {
    const { pending, bodies } = open([frame('start'), 60_000], [10, new GatewayError('upstream_reset')], [60_000]);
    expect((await catchRejection(pending)).code).to.equal('upstream_reset');
    expect(bodies.map(({ state }) => state.returned)).to.deep.equal([1, 1, 1]);
  });

  it('a reply of several sources fails if one source fails after content of another, and drops all sources', async () => {
    const { pending, bodies } = open(
      [frame('start') + frame('a'), 60_000],
      [20, new GatewayError('upstream_reset')],
      [60_000],
    );
    const { text, ending } = await deliver(await pending);
    expect(text.endsWith(frame('error upstream_reset'))).to.equal(true);
    expect(ending.reason).to.equal('upstream_reset');
    expect(bodies.map(({ state }) => state.returned)).to.deep.equal([1, 1, 1]);
  });

  it('reports a failure that came while the client was not reading, or before delivery', async () => {
    const { pending } = open(
      [frame('start') + frame('a'), 10, new GatewayError('upstream_reset')],
      [frame('start'), 15, new GatewayError('upstream_timeout')],
    );
    const reply = await pending;
    await wait(30);
    const texts: string[] = [];
    const ending = await reply.deliver({ write: (bytes) => (texts.push(Buffer.from(bytes).toString()), wait(40)) });
    expect(texts.join('')).to.match(/data: error upstream_(?:reset|timeout)\n\n$/);
    expect(ending.error?.code).to.match(/^upstream_(?:reset|timeout)$/);
  });

  it('a reply of several sources pauses all sources while the client is slow', async () => {
    const script = [frame('start'), ...Array.from({ length: 50 }, (_, at) => frame(`w${at}`)), frame('end')];
    const { pending, bodies } = open(script, script);
    const reply = await pending;
    const before = bodies.map(({ state }) => state.reads);
    const delivered = reply.deliver({ write: () => wait(30) });
    await wait(20);
    for (const [at, { state }] of bodies.entries()) expect(state.reads - (before[at] ?? 0)).to.be.at.most(1);
    reply.cancel(new GatewayError('client_closed'));
    void delivered;
    await delivered;
  });

  it('completes although the connection of an ended source breaks while another one continues', async () => {
    const { pending } = open(
      [frame('start') + frame('a') + frame('end'), 10, new GatewayError('upstream_reset')],
      [frame('start'), 40, frame('b') + frame('end')],
    );
    const { text, ending } = await deliver(await pending);
    expect(text).to.include(frame('b')).and.not.include('error');
    expect(ending.reason).to.equal('complete');
  });

  it('releases all sources if the reply is cancelled undelivered', async () => {
    const { pending, bodies } = open(
      [frame('start') + frame('a'), 60_000],
      [60_000],
      [20, new GatewayError('upstream_reset')],
    );
    (await pending).cancel(new GatewayError('client_closed'));
    expect(bodies.map(({ state }) => state.returned)).to.deep.equal([1, 1, 1]);
    await wait(40);
  });
});
