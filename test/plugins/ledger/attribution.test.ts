import { join } from 'node:path';
import { expect } from 'chai';
import type { UsageReport } from '../../../plugins/ledger/api/report.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

const folder = createTemporaryFolder();
after(() => folder.remove());

const keys = {
  alice: { key: 'key-of-alice-0123456789' },
  bob: { key: 'key-of-bob-0123456789', tags: { env: 'test' } },
};
const bearer = (key: string) => ({ 'authorization': `Bearer ${key}`, 'content-type': 'application/json' });
const chat = { model: 'vendor/chat', messages: [{ role: 'user', content: 'Hi' }] };
const answer = {
  id: 'one',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 },
};

/** Requests, each with the user and the tags that its row has to have. */
const requests: readonly {
  readonly path: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly user: string;
  readonly team?: string;
}[] = [
  {
    path: '/v1/chat/completions',
    body: { ...chat, user: 'of-body' },
    headers: { 'x-koine-user': 'ann', 'x-koine-tags': 'team=search,env=prod' },
    user: 'ann',
    team: 'search',
  },
  { path: '/v1/chat/completions', body: { ...chat, user: 'cache-key', safety_identifier: 'ann' }, user: 'ann' },
  { path: '/v1/chat/completions', body: { ...chat, user: 'ben' }, user: 'ben' },
  {
    path: '/v1/messages',
    body: { ...chat, max_tokens: 5, metadata: { user_id: 'ben' } },
    headers: { 'anthropic-version': '2023-06-01', 'x-koine-tags': 'team==1+1' },
    user: 'ben',
    team: '=1+1',
  },
  {
    path: '/v1beta/models/vendor/chat:generateContent',
    body: { contents: [{ parts: [{ text: 'Hi' }] }], labels: { user_id: 'cid' } },
    user: 'cid',
  },
  { path: '/v1/chat/completions', body: chat, key: keys.bob.key, headers: { 'x-koine-tags': 'env=mine' }, user: '' },
];

describeOnBoth('usage by end user and tag', (databases) => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  let database: string;
  const report = (query: string): Promise<HttpReply> =>
    send(gateway.gateway.admin.url, { method: 'GET', path: `/admin/usage${query}`, headers: {} });
  const read = (reply: HttpReply): UsageReport => {
    expect(reply.status, reply.text).to.equal(200);
    return JSON.parse(reply.text) as UsageReport;
  };
  const linesOf = async (query: string, ...names: readonly string[]): Promise<readonly unknown[]> =>
    read(await report(query)).lines.map((line) => {
      const values = new Map<string, unknown>(Object.entries(line));
      return names.map((name) => values.get(name));
    });

  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response) => void response.end(JSON.stringify(answer));
    database = await databases.fresh();
    gateway = await startTestGateway({
      store: { database },
      providers: { vendor: { use: 'openai', config: { apiKey: 'sk-test-0123456789', baseUrl: `${upstream.url}/v1` } } },
      models: {
        'vendor/chat': {
          targets: [{ provider: 'vendor', model: 'm', wire: 'chat-completions' }],
          price: { input: 1, output: 1 },
        },
      },
      organizations: { acme: { projects: { web: { keys } } } },
      plugins: [{ use: 'auth' }, { use: 'ledger', config: { spool: { path: join(folder.path, 'ledger.spool') } } }],
    });
    for (const { path, body, headers, key = keys.alice.key } of requests) {
      const reply = await send(gateway.url, {
        path,
        headers: { ...bearer(key), ...headers },
        body: JSON.stringify(body),
      });
      expect(reply.status, reply.text).to.equal(200);
    }
    await until('all rows', async () => read(await report('')).totals.exchanges === requests.length);
  });
  after(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  it('stores the end user and the tags of each row', async () => {
    const columns =
      "SELECT COALESCE(end_user, '') || '|' || COALESCE(tags, '') AS one FROM ledger ORDER BY opened_at, id";
    expect(await databases.ask(database, columns)).to.deep.equal([
      'ann|{"team":"search","env":"prod"}',
      'ann|',
      'ben|',
      'ben|{"team":"=1+1"}',
      'cid|',
      '|{"env":"test"}',
    ]);
  });

  it('has them in the access log', () => {
    const lines = gateway.lines.filter(({ text }) => text === 'exchange').map(({ fields }) => fields);
    expect(lines.map(({ user = '' }) => user)).to.deep.equal(requests.map(({ user }) => user));
    expect(lines[0]?.['tags']).to.deep.equal({ team: 'search', env: 'prod' });
    expect(lines[5]?.['tags']).to.deep.equal({ env: 'test' });
  });

  it('sends its headers to no provider', () =>
    expect(
      upstream.calls.flatMap(({ headers }) => Object.keys(headers)).filter((name) => name.startsWith('x-koine')),
    ).to.deep.equal([]));

  it('groups by user, with the requests that have none', async () =>
    expect(await linesOf('?by=user', 'user', 'exchanges', 'cost')).to.deep.equal([
      ['', 1, '0.00101'],
      ['ann', 2, '0.00202'],
      ['ben', 2, '0.00202'],
      ['cid', 1, '0.00101'],
    ]));

  it('groups by a tag, and by a tag with other dimensions', async () => {
    expect(await linesOf('?by=tag:team', 'tag:team', 'exchanges')).to.deep.equal([
      ['', 4],
      ['=1+1', 1],
      ['search', 1],
    ]);
    expect(await linesOf('?by=key,tag:env,provider', 'key', 'tag:env', 'provider', 'exchanges')).to.deep.equal([
      ['acme/web/alice', '', 'vendor', 4],
      ['acme/web/alice', 'prod', 'vendor', 1],
      ['acme/web/bob', 'test', 'vendor', 1],
    ]);
  });

  it('groups by the tag of a plugin, whose name has a dot', async () =>
    expect(await linesOf('?by=tag:mine.team', 'tag:mine.team', 'exchanges')).to.deep.equal([['', 6]]));

  it('filters by user and by tag', async () => {
    const totalOf = async (query: string) => read(await report(query)).totals.exchanges;
    expect(await totalOf('?user=ann,ben')).to.equal(4);
    expect(await totalOf('?user=ann&tag:team=search')).to.equal(1);
    expect(await totalOf('?tag:env=test,prod')).to.equal(2);
    expect(await totalOf(`?user=${encodeURIComponent("' OR 1=1 --")}`)).to.equal(0);
    expect(read(await report('?user=ann')).totals).to.deep.include({ cost: '0.00202', unpriced: 0 });
  });

  it('has the same totals from rows as from sums, in each bucket', async () => {
    const { latencyMs: _latency, firstContentMs: _first, ...totals } = read(await report('')).totals;
    const { latencyMs, firstContentMs: _own, ...fromRows } = read(await report('?user=ann,ben,cid&by=user')).totals;
    const none = read(await report('?key=bob')).totals;
    expect(fromRows.tokens.input + none.tokens.input).to.equal(totals.tokens.input);
    expect(fromRows.outcomes['ok']).to.equal(5);
    expect(latencyMs).to.deep.equal({ p50: null, p95: null, p99: null });
    for (const bucket of ['hour', 'day', 'month']) {
      const sums = await linesOf(`?bucket=${bucket}`, 'start', 'exchanges', 'cost');
      const rows = await linesOf(`?bucket=${bucket}&key=alice,bob&by=tag:nothing`, 'start', 'exchanges', 'cost');
      expect(rows).to.deep.equal(sums);
    }
  });

  it('returns them as CSV, without formulas', async () => {
    const { text } = await report('?by=user,tag:team&format=csv');
    const rows = text.trimEnd().split('\r\n');
    expect(rows[0]).to.match(/^user,tag:team,exchanges,/);
    expect(rows.map((row) => row.split(',').slice(0, 3).join(','))).to.include.members(["ben,'=1+1,1", 'ann,search,1']);
  });

  it('lets callers group and filter their own usage by user and tag', async () => {
    const own = async (query: string) =>
      read(await send(gateway.url, { method: 'GET', path: `/v1/usage${query}`, headers: bearer(keys.bob.key) }));
    expect((await own('?by=user')).lines.map(({ user, exchanges }) => [user, exchanges])).to.deep.equal([['', 1]]);
    expect((await own('?user=ann')).totals.exchanges).to.equal(0);
    expect((await own('?tag:env=test')).totals.exchanges).to.equal(1);
  });

  for (const [query, param] of [
    ['?by=tag:', 'by'],
    ['?by=tag:a"b', 'by'],
    [`?tag:a'b=1`, "tag:a'b"],
    ['?tag:team=', 'tag:team'],
    ['?user=', 'user'],
  ] as const) {
    it(`refuses ${query} with 400 and names the parameter`, async () => {
      const reply = await report(encodeURI(query));
      expect(reply.status).to.equal(400);
      expect((JSON.parse(reply.text) as { error: { param: string } }).error.param).to.equal(param);
    });
  }

  for (const [path, code] of [
    ['/v1/chat/completions', '"param":"x-koine-tags"'],
    ['/v1/messages', '"type":"invalid_request_error"'],
    ['/v1beta/models/vendor/chat:generateContent', '"status":"INVALID_ARGUMENT"'],
  ] as const) {
    it(`refuses a malformed header in the wire of ${path}`, async () => {
      const found = requests.find((request) => request.path === path);
      const headers = { ...bearer(keys.alice.key), ...found?.headers, 'x-koine-tags': 'team' };
      const reply = await send(gateway.url, { path, headers, body: JSON.stringify(found?.body) });
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include('x-koine-tags').and.include(code);
    });
  }
});
