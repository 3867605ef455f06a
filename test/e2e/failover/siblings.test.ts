import { expect } from 'chai';
import { startKoine, type KoineProcess, type LogLine } from '../../processes/koine-process.ts';
import { createAsk } from '../../reload/generations.ts';
import { until } from '../../support/until.ts';

interface Attempts {
  readonly worker: unknown;
  readonly tried: number | undefined;
}
type Client = ReturnType<typeof createAsk>;

/** A model whose first target responds with this status. */
const failing = (status: number) => ({
  targets: [
    { provider: 'broken', model: `chat?status=${status}` },
    { provider: 'good', model: 'chat' },
  ],
});

describe('what one worker has found about a target', () => {
  let koine: KoineProcess;
  /** A client on a connection of each worker. */
  let one: Client;
  let other: Client;

  const attempts = async ({ ask }: Client, model: string): Promise<Attempts> => {
    const { headers } = await ask({ model });
    const isIts = ({ message, request_id }: LogLine): boolean =>
      message === 'exchange' && request_id === headers['x-request-id'];
    await until('its line', () => koine.lines().some(isIts));
    const line = koine.lines().find(isIts);
    return { worker: line?.['worker'], tried: (line?.['attempts'] as readonly unknown[] | undefined)?.length };
  };

  before(async () => {
    koine = await startKoine({
      server: { workers: 2 },
      providers: { broken: { use: 'simulator' }, good: { use: 'simulator' } },
      models: {
        'house/plain': { targets: [{ provider: 'good', model: 'chat' }] },
        'house/new': failing(500),
        'house/known': failing(503),
        'house/limited': failing(429),
      },
      plugins: [
        { use: 'auth' },
        {
          use: 'failover',
          config: { retries: 0, cooldown: { rateLimit: '5m' }, circuit: { calls: 4, open: '5m', longest: '5m' } },
        },
      ],
    });
    one = createAsk(koine);
    const { worker } = await attempts(one, 'house/plain');
    for (let found = worker; found === worker;) {
      other?.end();
      other = createAsk(koine);
      ({ worker: found } = await attempts(other, 'house/plain'));
    }
  });
  after(async () => {
    one?.end();
    other?.end();
    await koine?.end();
  });

  /** Until one worker no longer calls it first. */
  const opens = (model: string): Promise<void> =>
    until('the circuit is open', async () => (await attempts(one, model)).tried === 1);

  /** How many targets the other worker tries, once it has had time to read the message of the first. */
  const triedByOther = async (model: string): Promise<number | undefined> => {
    await attempts(other, 'house/plain');
    return (await attempts(other, model)).tried;
  };

  it('an open circuit is open in a worker that has not used the target yet', async () => {
    await opens('house/new');
    expect(await triedByOther('house/new')).to.equal(1);
  });

  it('an open circuit is open in a worker that has seen one failure', async () => {
    expect(await triedByOther('house/known')).to.equal(2);
    await opens('house/known');
    expect(await triedByOther('house/known')).to.equal(1);
  });

  it('a cooldown that a vendor has asked for is kept by all workers', async () => {
    expect((await attempts(one, 'house/limited')).tried).to.equal(2);
    expect(await triedByOther('house/limited')).to.equal(1);
    expect((await attempts(one, 'house/limited')).tried).to.equal(1);
  });
});
