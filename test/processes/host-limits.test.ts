import { expect } from 'chai';
import { openStream, startKoine, tickets, type KoineProcess } from './koine-process.ts';
import { callOf } from '../support/calls.ts';
import { send } from '../support/http.ts';
import { until } from '../support/until.ts';

const settings = {
  server: { workers: 2, overload: { lag: '1m', inFlight: 4, perKey: 1 } },
  plugins: [{ use: 'auth' }, { use: tickets }],
};

describe('limits of load with several workers', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine(settings);
  });
  after(() => koine?.end());

  it('count the exchanges of all workers, and forget those of a worker that ends', async () => {
    const ask = async (): Promise<number> => (await send(koine.url, callOf('chat', 'simulator/chat'))).status;
    const open = () => openStream(koine.url, 'hang=after:2');
    const streams = await Promise.all([open(), open(), open(), open()]);
    for (const { headers } of streams) expect(headers['content-type']).to.include('text/event-stream');
    for (let attempt = 0; attempt < 8; attempt += 1) expect(await ask()).to.equal(503);
    // The worker with the most of them: at least two places are free then. One can still be held by the request before.
    const workers = streams.map(({ headers }) => Number(headers['x-worker']));
    const countOf = (worker: number): number => workers.filter((other) => other === worker).length;
    koine.kill(workers.toSorted((one, other) => countOf(other) - countOf(one))[0]!);
    await until('another worker serves', () => koine.workers().length === 3);
    for (let attempt = 0; attempt < 8; attempt += 1) expect(await ask()).to.equal(200);
  });
});
