import { expect } from 'chai';
import { send, goodHeaders } from '../../support/http.ts';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { until } from '../../support/until.ts';
import { startCollector, type Collector } from './collector.ts';

/** Longer than the shutdown waits for the collector, shorter than the timeout of an export. */
const RETRY_SECONDS = 4;

describe('a gateway whose trace collector refuses spans', () => {
  let collector: Collector;
  let koine: KoineProcess;
  beforeEach(async () => {
    collector = await startCollector();
    Object.assign(collector, { status: 503, retryAfter: RETRY_SECONDS });
    koine = await startKoine({
      server: { workers: 1 },
      plugins: [{ use: 'traces', config: { endpoint: collector.url } }, { use: 'auth' }],
    });
  });
  afterEach(async () => {
    await koine?.end();
    await collector.stop();
  });

  it('shuts down without waiting for the next retry of an export', async () => {
    const body = JSON.stringify({ model: 'simulator/chat', messages: [{ role: 'user', content: 'Hi' }] });
    expect((await send(koine.url, { path: '/v1/chat/completions', headers: goodHeaders, body })).status).to.equal(200);
    koine.signal('SIGTERM');
    await until('the last spans are exported', () => collector.headers.length > 0);
    expect(await koine.exit).to.equal(0);
    expect(collector.headers, 'tries').to.have.length(1);
  });
});
