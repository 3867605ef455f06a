import { expect } from 'chai';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import type { UsageReport } from '../../../plugins/ledger/api/report.ts';

const folder = createTemporaryFolder();
after(() => folder.remove());

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
const keys = { alice: { key: 'key-of-alice-0123456789' }, bob: { key: 'key-of-bob-0123456789' } };
const target = { provider: 'simulator', model: 'chat?inputTokens=1000&cacheReadTokens=4000&outputTokens=90&words=3' };

const settings = {
  providers: { simulator: { use: 'simulator' } },
  models: {
    'simulator/chat': { targets: [target], price: { input: 2, output: 10, cacheRead: 0.5 } },
    'simulator/other': {
      targets: [{ ...target, model: 'chat?inputTokens=7&outputTokens=3' }],
      price: { input: 1, output: 1 },
    },
    'simulator/broken': { targets: [{ ...target, model: 'chat?status=503' }], price: { input: 1, output: 1 } },
  },
  organizations: { acme: { projects: { web: { keys } } } },
  plugins: [{ use: 'auth' }, { use: 'ledger', config: { spool: { path: join(folder.path, 'ledger.spool') } } }],
};

/** 1,000 x 2 + 4,000 x 0.5 + 90 x 10 dollars per million; and 7 + 3. */
const CHAT = 0.0049;
const OTHER = 0.00001;

describeOnBoth('the usage API', (databases) => {
  let gateway: TestGateway;
  const complete = (key: string, model: string): Promise<HttpReply> =>
    send(gateway.url, {
      path: '/v1/chat/completions',
      headers: bearer(key),
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    });
  const report = (query: string): Promise<HttpReply> =>
    send(gateway.gateway.admin.url, { method: 'GET', path: `/admin/usage${query}`, headers: {} });
  const reportOwn = (key: string, query = ''): Promise<HttpReply> =>
    send(gateway.url, { method: 'GET', path: `/v1/usage${query}`, headers: bearer(key) });
  const read = (reply: HttpReply): UsageReport => {
    expect(reply.status, reply.text).to.equal(200);
    return JSON.parse(reply.text) as UsageReport;
  };

  before(async () => {
    gateway = await startTestGateway({ ...settings, store: { database: await databases.fresh() } });
    const empty = read(await report('?by=model&bucket=hour'));
    expect([empty.totals.exchanges, empty.totals.cost, empty.totals.latencyMs, empty.lines]).to.deep.equal([
      0,
      '0',
      { p50: null, p95: null, p99: null },
      [],
    ]);

    await complete(keys.alice.key, 'simulator/chat');
    await complete(keys.alice.key, 'simulator/chat');
    await complete(keys.bob.key, 'simulator/other');
    await complete(keys.bob.key, 'simulator/broken');
    for (const deadline = performance.now() + 30_000; read(await report('')).totals.exchanges < 4;) {
      if (performance.now() > deadline) throw new Error('the ledger never had all four');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  after(() => gateway.stop());

  it('sums up the usage of all keys, with exact cost', async () => {
    const { totals, lines, currency } = read(await report('?percentiles=true'));
    expect(totals).to.deep.include({ exchanges: 4, cost: '0.00981', estimated: 0, unpriced: 0 });
    expect(Number(totals.cost)).to.equal(2 * CHAT + OTHER);
    expect(totals.tokens).to.deep.equal({
      input: 10_007,
      cacheRead: 8_000,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      cacheWrite12h: 0,
      output: 183,
      reasoning: 0,
    });
    expect(totals.outcomes).to.include({ ok: 3, upstream_error: 1, abandoned: 0 });
    expect(totals.latencyMs.p50).to.be.a('number');
    expect([currency, lines]).to.deep.equal(['USD', []]);
  });

  it('groups by key and model, with latencies for each line', async () => {
    const { lines } = read(await report('?by=key,model&percentiles=true'));
    expect(lines.map(({ key, model, exchanges, cost }) => [key, model, exchanges, cost])).to.deep.equal([
      ['acme/web/alice', 'simulator/chat', 2, '0.0098'],
      ['acme/web/bob', 'simulator/broken', 1, '0'],
      ['acme/web/bob', 'simulator/other', 1, '0.00001'],
    ]);
    expect(lines.map(({ latencyMs }) => latencyMs.p95 !== null)).to.deep.equal([true, false, true]);
  });

  it('groups by time, with lines that add up to the totals', async () => {
    for (const bucket of ['hour', 'day', 'month']) {
      const { totals, lines, from, to } = read(await report(`?bucket=${bucket}&by=project`));
      expect(lines.reduce((sum, { exchanges }) => sum + exchanges, 0))
        .to.equal(totals.exchanges)
        .and.to.equal(4);
      expect(lines.every(({ start = '', project }) => start >= from && start < to && project === 'acme/web')).to.equal(
        true,
      );
    }
  });

  it('filters usage by values, models and time', async () => {
    expect(read(await report('?key=alice')).totals.exchanges).to.equal(2);
    expect(read(await report('?model=simulator/other,simulator/broken')).totals.exchanges).to.equal(2);
    expect(read(await report('?key=alice&model=simulator/other')).totals.exchanges).to.equal(0);
    expect(read(await report('?organization=nobody')).totals.cost).to.equal('0');
    expect(read(await report('?from=2020-01-01&to=2020-02-01&bucket=day')).lines).to.deep.equal([]);
  });

  it('returns usage as CSV with one line for each group', async () => {
    const reply = await report('?by=key&format=csv');
    expect(reply.headers['content-type']).to.match(/^text\/csv/);
    expect(reply.headers['content-disposition']).to.match(
      /^attachment; filename="koine-usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const [names = '', ...rows] = reply.text.trimEnd().split('\r\n');
    const columns = names.split(',');
    expect(columns.slice(0, 3)).to.deep.equal(['key', 'exchanges', 'success']);
    expect(rows.map((row) => row.split(',')[columns.indexOf('cost')])).to.deep.equal(['0.0098', '0.00001']);
    expect(rows.map((row) => row.split(',').length)).to.deep.equal([columns.length, columns.length]);
  });

  const refused: readonly (readonly [query: string, param: string])[] = [
    ['?from=yesterday', 'from'],
    ['?from=2026-13-45', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?to=2026-01-01T00:00:00%2B99', 'to'],
    ['?from=2026-02-01&to=2026-01-01', 'from'],
    ['?bucket=week', 'bucket'],
    ['?from=1990-01-01&bucket=hour', 'bucket'],
    ['?by=color', 'by'],
    ['?by=key;DROP TABLE ledger', 'by'],
    ['?format=xml', 'format'],
    ['?colour=red', 'colour'],
    ...[
      'from',
      'to',
      'bucket',
      'by',
      'format',
      'model',
      'organization',
      'project',
      'key',
      'route',
      'wire',
      'operation',
      'provider',
      'target',
    ].map((name) => [`?${name}=`, name] as const),
    ['?model=simulator/chat,', 'model'],
  ];
  for (const [query, param] of refused) {
    it(`refuses ${query} with 400 and names the parameter ${param}`, async () => {
      const reply = await report(encodeURI(query));
      expect(reply.status).to.equal(400);
      expect((JSON.parse(reply.text) as { error: { param: string } }).error.param).to.equal(param);
    });
  }

  it('treats SQL in a filter value as text', async () => {
    expect(read(await report(`?key=${encodeURIComponent("alice' OR '1'='1")}`)).totals.exchanges).to.equal(0);
  });

  it('refuses an empty value in /v1/usage and explains what to do', async () => {
    const reply = await reportOwn(keys.bob.key, '?model=');
    expect(reply.status).to.equal(400);
    expect(reply.text).to.include(
      'model has an empty value. Name one, or several separated by commas, or leave model out.',
    );
  });

  it('returns only the usage of the caller in /v1/usage', async () => {
    const own = read(await reportOwn(keys.bob.key, '?by=model'));
    expect(own.totals.exchanges).to.equal(2);
    expect(own.lines.map(({ model }) => model)).to.deep.equal(['simulator/broken', 'simulator/other']);
    expect(read(await reportOwn(keys.alice.key)).totals).to.deep.include({ exchanges: 2, cost: '0.0098' });
  });

  for (const query of ['?by=key', '?organization=acme', '?by=provider', '?target=x']) {
    it(`refuses ${query} in /v1/usage`, async () => {
      const reply = await reportOwn(keys.bob.key, query);
      expect(reply.status).to.equal(400);
      expect(reply.text).to.not.include('alice-0');
    });
  }

  it('does not treat key as a filter in /v1/usage, where it is a credential', async () =>
    expect(read(await reportOwn(keys.bob.key, '?key=alice')).totals.exchanges).to.equal(2));

  it('refuses /v1/usage with a wrong key with 401', async () =>
    expect((await reportOwn('wrong')).status).to.equal(401));
});
