import { expect } from 'chai';
import { definePlugin, GatewayError } from '../../../core/api/index.ts';
import { parseMetrics, sumOf, type Family } from '../../support/parse-metrics.ts';
import { callOf } from '../../support/calls.ts';
import { builtIns, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { goodHeaders, send } from '../../support/http.ts';
import { until } from '../../support/until.ts';

const MODEL = 'house/talk';
/** A name that YAML may give a model, and that a line of text has to survive. */
const ODD = 'house/"odd"\\n';
const entry = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'entry',
  schema: { type: 'object' },
  create: () => ({
    middleware: async (context, next) => {
      const { path } = context as { readonly path: string };
      if (path === '/shut' || context.get('x-shut') !== '') throw new GatewayError('permission_denied', 'Not here.');
      await next();
    },
    endpoints: (router) => router.get('/hello', () => ({ body: 'hello' })),
  }),
});

/** What a client did, and what stands in the metrics of it. */
const cases: readonly (readonly [
  what: string,
  call: (url: string) => Promise<unknown>,
  labels: Readonly<Record<string, string>>,
])[] = [
  [
    'a good answer',
    (url) => send(url, callOf('chat', MODEL)),
    {
      route: '/v1/chat/completions',
      wire: 'chat-completions',
      operation: 'generate',
      code: '200',
      outcome: 'ok',
    },
  ],
  [
    'no key',
    (url) => send(url, { ...callOf('chat', MODEL), headers: {} }),
    { route: '/v1/chat/completions', operation: 'generate', code: '401', outcome: 'auth' },
  ],
  [
    'a body that is no JSON',
    (url) => send(url, { path: '/v1/messages', body: '{' }),
    { route: '/v1/messages', wire: 'messages', code: '400', outcome: 'client_error' },
  ],
  [
    'a body that is too large',
    (url) => send(url, { path: '/v1/messages', body: `"${'x'.repeat(100_000)}"` }),
    { route: '/v1/messages', code: '413', outcome: 'client_error' },
  ],
  [
    'an unknown model',
    (url) => send(url, callOf('chat', 'junk/"model"\n')),
    { route: '/v1/chat/completions', code: '404', outcome: 'client_error' },
  ],
  [
    'an unknown path',
    (url) => send(url, { path: '/wp-admin/"x"', body: '' }),
    { route: 'other', wire: 'other', operation: 'other', code: '404', outcome: 'client_error' },
  ],
  [
    'a method that a path does not have',
    (url) => send(url, { method: 'PUT', path: '/v1/chat/completions' }),
    { route: 'other', code: '405', outcome: 'client_error' },
  ],
  [
    'what a middleware refused',
    (url) => send(url, { path: '/shut' }),
    { route: 'other', code: '403', outcome: 'client_error' },
  ],
  [
    'what a middleware refused of a route',
    (url) => send(url, { ...callOf('chat', MODEL), headers: { ...goodHeaders, 'x-shut': 'yes' } }),
    { route: '/v1/chat/completions', operation: 'generate', code: '403', outcome: 'client_error' },
  ],
  [
    'the list of models',
    (url) => send(url, { method: 'GET', path: '/v1/models' }),
    { route: '/v1/models', operation: 'models', code: '200', outcome: 'ok' },
  ],
  [
    'the list of models without a key',
    (url) => send(url, { method: 'GET', path: '/v1/models', headers: {} }),
    { route: '/v1/models', operation: 'models', code: '401', outcome: 'auth' },
  ],
  [
    'a call of a plugin',
    (url) => send(url, { method: 'GET', path: '/hello' }),
    { route: '/hello', operation: 'endpoint', code: '200', outcome: 'ok' },
  ],
  [
    'a model of an odd name',
    (url) => send(url, callOf('chat', ODD)),
    { route: '/v1/chat/completions', code: '200', outcome: 'ok' },
  ],
  [
    'a provider that fails',
    (url) => send(url, callOf('chat', 'house/broken')),
    { route: '/v1/chat/completions', code: '502', outcome: 'upstream_error' },
  ],
];

describe('every request is counted once', () => {
  let gateway: TestGateway;
  before(async () => {
    const extensions = { ...builtIns, plugin: { ...builtIns.plugin, entry } };
    const target = (model: string): object => ({ targets: [{ provider: 'simulator', model }] });
    gateway = await startTestGateway(
      {
        server: { bodyLimit: '64kb' },
        accessLog: { start: true },
        providers: { simulator: { use: 'simulator' } },
        models: { [MODEL]: target('chat'), 'house/broken': target('chat?status=500'), [ODD]: target('chat') },
        plugins: [{ use: 'metrics', config: { labels: ['project'] } }, { use: 'entry' }, { use: 'auth' }],
      },
      extensions,
    );
  });
  after(() => gateway.stop());

  const scrape = async (): Promise<ReadonlyMap<string, Family>> =>
    parseMetrics((await send(gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} })).text);
  /** What is counted is counted a moment after the client has its answer. */
  const settle = async (total: number): Promise<ReadonlyMap<string, Family>> => {
    let families = await scrape();
    await until(`${total} counted requests`, async () => {
      families = await scrape();
      return sumOf(families, 'koine_http_requests_total') >= total;
    });
    return families;
  };

  let sent = 0;
  for (const [what, call, labels] of cases) {
    it(`the outcome of ${what} is ${labels['outcome']}, ${labels['code']}`, async () => {
      const then = sumOf(await scrape(), 'koine_http_requests_total', labels);
      await call(gateway.url);
      sent += 1;
      const families = await settle(sent);
      expect(sumOf(families, 'koine_http_requests_total')).to.equal(sent);
      expect(sumOf(families, 'koine_http_requests_total', labels)).to.equal(then + 1);
      expect(sumOf(families, 'koine_http_request_duration_seconds_count')).to.equal(sent);
      expect(sumOf(families, 'koine_tenant_requests_total')).to.equal(sent);
      const tenant = labels['code'] === '401' ? 'other' : 'web';
      expect(sumOf(families, 'koine_tenant_requests_total', { project: tenant })).to.be.greaterThan(0);
    });
  }

  it('an unusual model name is a label as it is', async () => {
    expect(sumOf(await scrape(), 'koine_upstream_attempts_total', { model: ODD })).to.equal(1);
  });

  it('health checks are not counted', async () => {
    await send(gateway.url, { method: 'GET', path: '/livez' });
    await send(gateway.url, { method: 'GET', path: '/hello' });
    sent += 1;
    expect(sumOf(await settle(sent), 'koine_http_requests_total')).to.equal(sent);
  });

  it('each exchange that passes the middleware is logged at its begin and end, if configured', () => {
    const begun = gateway.lines
      .filter(({ text }) => text === 'exchange begins')
      .map(({ fields }) => fields['request_id']);
    expect(begun)
      .to.have.length.greaterThan(5)
      .and.to.have.members(
        gateway
          .exchanges()
          .filter((line) => line['code'] !== 'permission_denied')
          .map((line) => line['request_id']),
      );
  });

  it('body sizes are measured per exchange, and failed targets are named', async () => {
    const families = await scrape();
    const chat = gateway.exchanges().filter((line) => line['wire_in'] === 'chat-completions');
    expect(sumOf(families, 'koine_request_body_bytes_sum', { wire: 'chat-completions' }))
      .to.equal(chat.reduce((sum, line) => sum + Number(line['bytes_in'] ?? 0), 0))
      .and.be.greaterThan(0);
    expect(sumOf(families, 'koine_response_body_bytes_sum', { wire: 'chat-completions' }))
      .to.equal(chat.reduce((sum, line) => sum + Number(line['bytes_out'] ?? 0), 0))
      .and.be.greaterThan(0);
    expect(
      families.get('koine_candidates_exhausted_total')?.samples.map(({ labels, value }) => [labels, value]),
    ).to.deep.equal([[{ model: 'house/broken', reason: 'transient' }, 1]]);
  });

  it('a stream records its time to first token and the time between tokens', async () => {
    const ownTime = 'koine_overhead_duration_seconds_sum';
    const before = sumOf(await settle(sent), ownTime, { phase: 'response' });
    const { path, body } = callOf('chat', MODEL, {
      stream: true,
      more: { messages: [{ role: 'user', content: 'Hi [[simulator words=20 pace=2]]' }] },
    });
    const text = await (await fetch(gateway.url + path, { method: 'POST', headers: goodHeaders, body })).text();
    expect(text).to.include('[DONE]');
    sent += 1;
    const families = await settle(sent);
    const at = { provider: 'simulator', model: MODEL };
    const line = gateway.exchanges().at(-1)!;
    expect(sumOf(families, 'koine_time_to_first_token_seconds_sum', at)).to.be.closeTo(
      Number(line['ms_ttft']) / 1_000,
      1e-4,
    );
    const rest = (Number(line['ms_total']) - Number(line['ms_ttft'])) / 1_000;
    expect(sumOf(families, 'koine_time_per_output_token_seconds_sum', at)).to.be.closeTo(
      rest / (Number(line['tokens_out']) - 1),
      1e-4,
    );
    expect(sumOf(families, 'koine_tokens_per_request_count', { ...at, type: 'output' })).to.equal(2);
    expect(
      sumOf(families, 'koine_overhead_duration_seconds_count', { wire: 'chat-completions', phase: 'response' }),
    ).to.equal(3);
    expect(
      sumOf(families, ownTime, { phase: 'response' }) - before,
      'the pauses of the provider are not ours',
    ).to.be.below(rest);
  });
});
