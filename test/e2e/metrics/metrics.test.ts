import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { parseMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { callOf } from '../../support/calls.ts';
import { builtIns, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { goodHeaders, send } from '../../support/http.ts';

const MODEL = 'simulator/chat';
const settings = {
  providers: { simulator: { use: 'simulator' }, absent: { use: 'openai', config: { apiKey: '' } } },
  models: {
    [MODEL]: { targets: [{ provider: 'simulator', model: 'chat' }], price: { input: 2, output: 8 } },
    'absent/none': { targets: [{ provider: 'absent', model: 'none' }] },
  },
};

const scrape = async (gateway: TestGateway): Promise<ReadonlyMap<string, Family>> => {
  const { status, headers, text } = await send(gateway.gateway.admin.url, {
    method: 'GET',
    path: '/metrics',
    headers: {},
  });
  expect([status, headers['content-type']], text).to.deep.equal([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return parseMetrics(text);
};

describe('metrics of a gateway', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({ ...settings, plugins: [{ use: 'metrics' }, { use: 'auth' }] });
  });
  after(() => gateway.stop());

  const wires = { chat: 'chat-completions', messages: 'messages' } as const;
  const ask = (client: keyof typeof wires, model: string, stream: boolean, directives: string) =>
    send(gateway.url, {
      ...callOf(client, model, {
        stream,
        more: { messages: [{ role: 'user', content: `Hi [[simulator ${directives}]]` }], max_tokens: 50 },
      }),
      headers: goodHeaders,
    });

  it('metrics match the exchanges on two wires, plain and streamed, successful and failed', async () => {
    const tasks = (Object.keys(wires) as (keyof typeof wires)[]).flatMap((client) => [
      ...[false, true].flatMap((stream) => [
        ...Array.from({ length: 5 }, () => ask(client, MODEL, stream, 'words=20')),
        ...Array.from({ length: 2 }, () => ask(client, MODEL, stream, 'status=500')),
        ...Array.from({ length: 2 }, () => ask(client, MODEL, stream, 'status=429')),
        ask(client, 'absent/none', stream, ''),
      ]),
      ...Array.from({ length: 3 }, () => ask(client, MODEL, true, 'cut=after:3')),
    ]);
    await Promise.all(tasks);
    await gateway.settled(tasks.length);
    const families = await scrape(gateway);
    const lines = gateway.exchanges();

    for (const wire of Object.values(wires)) {
      const mine = lines.filter((line) => line['wire_in'] === wire);
      expect(sumOf(families, 'koine_http_requests_total', { wire }), wire)
        .to.equal(mine.length)
        .and.equal(23);
      expect(sumOf(families, 'koine_http_request_duration_seconds_count', { wire })).to.equal(mine.length);
      const seconds = mine.reduce((sum, line) => sum + Number(line['ms_total']) / 1_000, 0);
      expect(sumOf(families, 'koine_http_request_duration_seconds_sum', { wire })).to.be.closeTo(seconds, 0.001);
      expect(sumOf(families, 'koine_overhead_duration_seconds_count', { wire, phase: 'request' }))
        .to.equal(mine.filter((line) => 'ms_ttft' in line).length)
        .and.equal(13);
      for (const outcome of new Set(mine.map((line) => String(line['outcome'])))) {
        const these = mine.filter((line) => line['outcome'] === outcome);
        expect(sumOf(families, 'koine_http_requests_total', { wire, outcome }), outcome).to.equal(these.length);
        for (const code of new Set(these.map((line) => String(line['status'])))) {
          expect(sumOf(families, 'koine_http_requests_total', { wire, outcome, code }), `${outcome} ${code}`).to.equal(
            these.filter((line) => String(line['status']) === code).length,
          );
        }
      }
      for (const stream of ['true', 'false'])
        expect(sumOf(families, 'koine_requests_in_flight', { wire, stream })).to.equal(0);
    }
    expect(sumOf(families, 'koine_http_requests_total', { outcome: 'ok' })).to.equal(20);
  });

  it('attempts, streams, tokens and money are counted by provider and model', async () => {
    const families = await scrape(gateway);
    const lines = gateway.exchanges();
    const at = { provider: 'simulator', model: MODEL };
    const attempts = lines.flatMap((line) => line['attempts'] as readonly Readonly<Record<string, unknown>>[]);
    expect(sumOf(families, 'koine_upstream_attempts_total')).to.equal(attempts.length).and.equal(42);
    expect(sumOf(families, 'koine_upstream_attempts_total', { ...at, outcome: 'ok', attempt: 'first' })).to.equal(20);
    expect(sumOf(families, 'koine_upstream_attempts_total', { ...at, outcome: 'rate_limited' })).to.equal(8);
    expect(sumOf(families, 'koine_upstream_attempts_total', { ...at, outcome: 'upstream_error' })).to.equal(14);
    expect(sumOf(families, 'koine_upstream_duration_seconds_count', at)).to.equal(attempts.length);
    expect(sumOf(families, 'koine_stream_terminations_total', { ...at, reason: 'complete' })).to.equal(10);
    expect(sumOf(families, 'koine_stream_terminations_total', { ...at, reason: 'truncated' })).to.equal(6);
    expect(sumOf(families, 'koine_stream_terminations_total')).to.equal(16);

    const logged = (field: string): number => lines.reduce((sum, line) => sum + Number(line[field] ?? 0), 0);
    const tokens = (type: string): number => sumOf(families, 'koine_tokens_total', { ...at, type });
    expect(tokens('output')).to.equal(logged('tokens_out')).and.be.greaterThan(0);
    expect(tokens('input')).to.equal(logged('tokens_in')).and.be.greaterThan(0);
    expect(tokens('cache_read')).to.equal(logged('tokens_cache'));
    expect(sumOf(families, 'koine_tokens_total', { type: 'output', source: 'estimated' })).to.be.greaterThan(0);
    const uncached = tokens('input') - tokens('cache_read') - tokens('cache_write');
    expect(tokens('cache_read') + tokens('cache_write')).to.equal(0);
    expect(sumOf(families, 'koine_cost_total', { ...at, currency: 'USD' })).to.be.closeTo(
      (uncached * 2 + tokens('output') * 8) / 1e6,
      1e-9,
    );
  });

  it('in-flight exchanges are a gauge, and a stream whose client left has its end reason', async () => {
    const leave = new AbortController();
    const { path, body } = callOf('chat', MODEL, {
      stream: true,
      more: { messages: [{ role: 'user', content: 'Hi [[simulator words=1000 pace=1000]]' }] },
    });
    const settled = gateway.exchanges().length;
    const { body: stream } = await fetch(gateway.url + path, {
      method: 'POST',
      headers: goodHeaders,
      body,
      signal: leave.signal,
    });
    await stream?.getReader().read();
    const open = await scrape(gateway);
    leave.abort();
    await gateway.settled(settled + 1);
    const after = await scrape(gateway);
    const where = { wire: 'chat-completions', stream: 'true' };
    expect([
      sumOf(open, 'koine_requests_in_flight', where),
      sumOf(after, 'koine_requests_in_flight', where),
    ]).to.deep.equal([1, 0]);
    expect(sumOf(after, 'koine_stream_terminations_total', { reason: 'client_closed' })).to.equal(1);
    expect(sumOf(after, 'koine_upstream_attempts_total', { outcome: 'client_closed' })).to.equal(1);
    expect(sumOf(after, 'koine_http_requests_total', { outcome: 'client_closed' })).to.equal(1);
  });

  it('no label contains client input', async () => {
    await send(gateway.url, callOf('chat', 'junk/"model"'));
    const families = await scrape(gateway);
    const values = (label: string): ReadonlySet<string | undefined> =>
      new Set([...families.values()].flatMap(({ samples }) => samples.map(({ labels }) => labels[label])));
    expect(values('model')).to.deep.equal(new Set([undefined, MODEL, 'absent/none']));
    expect(values('route')).to.deep.equal(new Set([undefined, '/v1/chat/completions', '/v1/messages']));
  });

  it('build and configuration are metrics', async () => {
    const families = await scrape(gateway);
    expect(families.get('koine_build_info')?.samples[0]?.labels).to.include({ node: process.versions.node });
    expect(families.get('koine_config_info')?.samples[0]?.labels['hash']).to.match(/^[0-9a-f]{16}$/);
  });
});

describe('docs/reference/metrics.md', () => {
  const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
  const listed = new Map(
    Array.from(
      page.matchAll(/^\| `(\w+)` \| (counter|gauge|histogram)\b[^|]*\| ([^|]*) \|/gm),
      ([, name = '', type = '', labels = '']) => [
        name,
        { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label) },
      ],
    ),
  );
  let families: ReadonlyMap<string, Family>;
  before(async () => {
    const gateway = await startTestGateway({
      ...settings,
      plugins: [
        ...Object.keys(builtIns.plugin).map((use) =>
          use === 'metrics' ? { use, config: { genaiSemconv: true, labels: ['project'] } } : { use },
        ),
        { use: 'content-filter', config: { service: { url: 'http://127.0.0.1:9/check', onFailure: 'allow' } } },
        { use: 'prompt-log', config: { otlp: { endpoint: 'http://127.0.0.1:9/v1/logs' } } },
        { use: 'response-cache' },
      ],
    });
    await send(gateway.url, callOf('chat', MODEL));
    families = await scrape(gateway);
    await gateway.stop();
  });

  it('docs/reference/metrics.md lists every metric of one process with all plugins, with its type', () => {
    const exported = Array.from(families, ([name, { type }]) => `${name} ${type}`).filter(
      (line) => line.match(/^(?:koine|gen_ai)_/) !== null,
    );
    expect(
      Array.from(listed, ([name, { type }]) => `${name} ${type}`).filter((line) =>
        /^(?:koine_(?!worker)|gen_ai_)/.test(line),
      ),
    ).to.have.members(exported);
  });

  it('docs/reference/metrics.md lists every process metric', () => {
    expect([...families.keys()].filter((name) => !listed.has(name))).to.deep.equal([]);
  });

  it('docs/reference/metrics.md lists the labels of all counted series', () => {
    for (const [name, { samples }] of families) {
      const [sample] = samples;
      if (sample === undefined) continue;
      const { le: _bound, ...labels } = { le: '', ...sample.labels };
      expect(Object.keys(labels), name).to.deep.equal(listed.get(name)?.labels);
    }
  });
});
