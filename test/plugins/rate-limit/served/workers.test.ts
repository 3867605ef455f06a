import { expect } from 'chai';
import { goodHeaders, send, type HttpReply } from '../../../support/http.ts';
import { KEY } from '../../../support/gateway.ts';
import { openStream, startKoine, type KoineProcess } from '../../../processes/koine-process.ts';
import { until } from '../../../support/until.ts';
import { BOB } from './served.ts';

const body = JSON.stringify({ model: 'simulator/chat', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] });
const keys = {
  alice: { key: KEY, limits: [{ concurrent: 8 }, { requests: 100, per: '1h' }] },
  bob: { key: BOB, limits: [{ requests: 50, per: '1h' }] },
};

describe('rate-limit: four workers without Redis', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({
      server: { workers: 4 },
      organizations: { acme: { projects: { web: { keys } } } },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
      accessLog: { start: true },
    });
  });
  after(() => koine?.end());
  const ask = (key = KEY): Promise<HttpReply> =>
    send(koine.url, {
      path: '/v1/chat/completions',
      headers: { ...goodHeaders, authorization: `Bearer ${key}` },
      body,
    });

  it('four workers admit exactly 50 of 200 simultaneous requests', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => ask(BOB)));
    const count = (status: number): number => replies.filter((reply) => reply.status === status).length;
    expect([count(200), count(429)]).to.deep.equal([50, 150]);
  });

  it('workers get the places of a killed one back at once, and keep its requests counted', async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => openStream(koine.url, 'hang=after:1')));
    expect((await ask()).headers['x-koine-limit']).to.equal('key;concurrent');
    let lost = 0;
    for (const { ended } of streams) void ended.then(() => (lost += 1));
    const id = streams[0]?.headers['x-request-id'];
    const begins = () => koine.lines().find(({ request_id }) => request_id === id);
    await until('the line of the first stream', () => begins() !== undefined);
    koine.kill(Number(begins()?.['worker']));
    await until('streams that break', () => lost > 0);
    await until('another in its place', () => koine.workers().length === 5);

    const reply = await ask();
    expect([reply.status, reply.headers['x-ratelimit-remaining-requests']]).to.deep.equal([200, '91']);
    await until('its settlement', () =>
      koine.lines().some(({ request_id }) => request_id === reply.headers['x-request-id']),
    );
    await Promise.all(Array.from({ length: lost }, () => openStream(koine.url, 'hang=after:1')));
    expect((await ask()).headers['x-koine-limit']).to.equal('key;concurrent');
  });
});
