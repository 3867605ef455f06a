import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { send } from '../support/http.ts';
import { createAsk } from '../reload/generations.ts';
import { startKoine } from './koine-process.ts';
import { until } from '../support/until.ts';

const fragile = fileURLToPath(new URL('../fixtures/extensions/fragile/index.ts', import.meta.url));

describe('a worker that runs out of memory', () => {
  it('a worker that runs out of memory is replaced and counted', async () => {
    const koine = await startKoine(
      { server: { workers: 2 }, plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: fragile }] },
      { NODE_OPTIONS: '--max-old-space-size=160' },
    );
    const one = createAsk(koine);
    let other = createAsk(koine);
    try {
      const workerOf = async ({ ask }: typeof one): Promise<unknown> => (await ask()).headers['x-worker'];
      const its = await workerOf(one);
      for (; (await workerOf(other)) === its; other = createAsk(koine)) other.end();
      const died = one.ask({ user: 'fill the memory' }).then(
        () => 'answered',
        () => 'broken',
      );
      expect((await other.ask()).status).to.equal(200);
      expect(await died).to.equal('broken');
      await until('another worker', () => koine.workers().length === 3);
      expect((await other.ask()).status).to.equal(200);
      const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
      expect(text).to.match(/^koine_worker_restarts_total\{reason="memory"\} 1$/m);
    } finally {
      one.end();
      other.end();
      await koine.end();
    }
  });
});
