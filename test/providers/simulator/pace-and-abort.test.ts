import { expect } from 'chai';
import { canonicalCodec, request } from './canonical-wire.ts';
import { useSimulatedTime } from '../../support/time/simulated-time.ts';
import { createSimulator, readChunks } from './simulate.ts';

const timed = async <T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> => {
  const start = performance.now();
  const value = await work();
  return { ms: performance.now() - start, value };
};
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('simulator: pace', () => {
  useSimulatedTime();

  it('sends one delta at a time, at the configured pace', async () => {
    const simulate = await createSimulator('chat?words=11', { paceMs: 10 });
    const { ms, value } = await timed(async () => readChunks(await simulate({ body: request({ stream: true }) })));
    expect(value).to.have.length(11);
    expect(value.every((chunk) => (chunk.match(/event: part-delta/g) ?? []).length === 1)).to.equal(true);
    expect(ms).to.equal(100);
  });

  it('a paced stream keeps its schedule when the reader is late', async () => {
    const simulate = await createSimulator('chat?words=21&pace=10');
    const { ms } = await timed(async () => {
      let first = true;
      for await (const _ of (await simulate({ body: request({ stream: true }) })).body) {
        if (first) await new Promise((resolve) => setTimeout(resolve, 150));
        first = false;
      }
    });
    expect(ms).to.equal(200);
  });

  it('combines frames in chunks of about 16 KB without a pace', async () => {
    const small = await readChunks(await (await createSimulator())({ body: request({ stream: true }) }));
    expect(small).to.have.length(1);
    const large = await readChunks(
      await (
        await createSimulator('chat?words=5000')
      )({ body: request({ stream: true }) }),
    );
    expect(large.length).to.be.greaterThan(10);
    expect(Math.max(...large.map(({ length }) => length))).to.be.lessThan(17_000);
  });

  it('the simulator produces no more than is read', async () => {
    let events = 0;
    const { client } = canonicalCodec;
    const encodeStream: typeof client.encodeStream = (context) => {
      const encoder = client.encodeStream(context);
      return { push: (event, write) => ((events += 1), encoder.push(event, write)) };
    };
    const simulate = await createSimulator(
      'chat?words=100000',
      {},
      { ...canonicalCodec, client: { ...client, encodeStream } },
    );
    const reply = await simulate({ body: request({ stream: true }) });
    const first = await reply.body[Symbol.asyncIterator]().next();
    expect(first.value?.length).to.be.within(16_000, 17_000);
    expect(events).to.be.within(100, 1_000);
  });

  it('the simulator waits before the response starts', async () => {
    const simulate = await createSimulator('chat?delay=40');
    expect((await timed(() => simulate({ body: request({}) }))).ms).to.equal(40);
    const configured = await createSimulator('chat', { delayMs: 40 });
    expect((await timed(() => configured({ body: request({ stream: true }) }))).ms).to.equal(40);
  });
});

describe('simulator: an aborted call', () => {
  useSimulatedTime();

  const reason = new Error('the caller left');
  const leave = (ms: number): AbortSignal => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), ms);
    return controller.signal;
  };

  it('ends a delay and a hang before the response at once', async () => {
    for (const model of ['chat?delay=60000', 'chat?hang=before']) {
      const simulate = await createSimulator(model);
      const { ms, value } = await timed(() => failureOf(simulate({ body: request({}), signal: leave(20) })));
      expect(value, model).to.equal(reason);
      expect(ms, model).to.equal(20);
    }
  });

  it('ends a paced stream, a hanging stream and a hanging plain response at once', async () => {
    for (const [model, stream, chunks] of [
      ['chat?pace=60000', true, 1],
      ['chat?hang=after:3', true, 1],
      ['chat?hang=after:3', false, 1],
    ] as const) {
      const simulate = await createSimulator(model);
      let seen = 0;
      const read = async (): Promise<void> => {
        for await (const _ of (await simulate({ body: request({ stream }), signal: leave(20) })).body) seen += 1;
      };
      const { ms, value } = await timed(() => failureOf(read()));
      expect(value, model).to.equal(reason);
      expect(seen, model).to.equal(chunks);
      expect(ms, model).to.equal(20);
    }
  });

  it('ends a stream without a pace at its next chunk', async () => {
    const controller = new AbortController();
    const reply = await (
      await createSimulator('chat?words=5000')
    )({ body: request({ stream: true }), signal: controller.signal });
    const chunks = reply.body[Symbol.asyncIterator]();
    await chunks.next();
    controller.abort(reason);
    expect(await failureOf(chunks.next())).to.equal(reason);
  });

  it('an aborted call does not start', async () => {
    expect(
      await failureOf((await createSimulator())({ body: request({}), signal: AbortSignal.abort(reason) })),
    ).to.equal(reason);
  });

  it('an aborted call leaves no listener behind', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...parameters: Parameters<typeof add>) => {
      listeners += 1;
      add(...parameters);
    };
    signal.removeEventListener = (...parameters: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...parameters);
    };
    const simulate = await createSimulator('chat?words=4&pace=1&delay=1');
    await readChunks(await simulate({ body: request({ stream: true }), signal }));
    expect(listeners).to.equal(0);
  });
});
