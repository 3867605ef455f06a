import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { definePlugin, GatewayError, type AdminReply } from '../../../core/api/index.ts';
import { callOf } from '../../support/calls.ts';
import { builtIns, KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { goodHeaders, send, type HttpRequest } from '../../support/http.ts';
import { until } from '../../support/until.ts';

const MODEL = 'simulator/chat';
const SLOW = '/v1/slow';

let slow = Promise.withResolvers<AdminReply>();
let slowCalls = 0;
const gate = definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'gate',
  schema: { type: 'object' },
  create: () => ({
    middleware: async (context, next) => {
      if (context.get('x-gate') === 'throw') throw new GatewayError('permission_denied', 'Not from here.');
      if (context.get('x-gate') !== 'answer') return next();
      context.status = 418;
      context.body = 'No coffee.';
    },
    enter: (head) => ({ annotations: { log: { seen: head.route.operation } } }),
    endpoints: (router) =>
      router.get(SLOW, () => {
        slowCalls += 1;
        return slow.promise;
      }),
  }),
});

describe('requests that are not for a model', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway(
      {
        providers: { simulator: { use: 'simulator' } },
        models: { [MODEL]: { targets: [{ provider: 'simulator', model: 'chat' }] } },
        limits: [{ concurrent: 1 }],
        plugins: [{ use: 'auth' }, { use: 'gate' }, { use: 'rate-limit' }],
      },
      { ...builtIns, plugin: { ...builtIns.plugin, gate } },
    );
  });
  beforeEach(() => {
    slow = Promise.withResolvers();
  });
  after(() => gateway.stop());

  type Line = Readonly<Record<string, unknown>>;
  const linesOf = (text: string): readonly Line[] =>
    gateway.lines.filter((line) => line.text === text).map(({ fields }) => fields);
  /** The one line that a request writes, which has the id of its response. */
  const lineOf = async (request: HttpRequest, text = 'request'): Promise<Line> => {
    const before = [linesOf('request').length, linesOf('exchange').length];
    const { headers, status } = await send(gateway.url, request);
    await until('it is logged', () => linesOf(text).some((line) => line['request_id'] === headers['x-request-id']));
    const added = linesOf('request').length + linesOf('exchange').length - (before[0] ?? 0) - (before[1] ?? 0);
    expect(added).to.equal(1);
    const line = linesOf(text).at(-1) ?? {};
    expect(line).to.include({ status });
    return line;
  };

  const unseen: readonly (readonly [what: string, request: HttpRequest, fields: Line])[] = [
    [
      'an unknown path, without its query',
      { method: 'GET', path: '/wp-admin?key=abc', headers: {} },
      { method: 'GET', path: '/wp-admin', route: 'other', operation: 'other', status: 404, code: 'not_found' },
    ],
    [
      'an unknown path with a key in it, without the key',
      { method: 'GET', path: '/secret/a-key-of-an-unknown-form%2F1/models', headers: {} },
      { path: '/secret/[redacted]/models', route: 'other' },
    ],
    [
      'a method that a path does not have',
      { method: 'PUT', path: '/v1/messages' },
      { method: 'PUT', path: '/v1/messages', route: 'other', status: 405, code: 'method_not_allowed' },
    ],
    [
      'OPTIONS',
      { method: 'OPTIONS', path: '/v1/messages', headers: {} },
      { method: 'OPTIONS', route: 'other', operation: 'other', status: 200, outcome: 'ok' },
    ],
    [
      'HEAD of a models list',
      { method: 'HEAD', path: '/v1/models' },
      { method: 'HEAD', route: '/v1/models', operation: 'models', status: 200, key_alias: 'alice' },
    ],
    [
      'a models list without a key',
      { method: 'GET', path: '/v1/models', headers: {} },
      { route: '/v1/models', operation: 'models', status: 401, outcome: 'auth', term: 'AU', code: 'invalid_api_key' },
    ],
  ];
  for (const [what, request, fields] of unseen)
    it(`writes one line to the access log for ${what}`, async () => {
      expect(await lineOf({ ...request })).to.include(fields);
    });

  for (const [gateWay, fields] of [
    ['throw', { status: 403, outcome: 'client_error', code: 'permission_denied', error_message: 'Not from here.' }],
    ['answer', { status: 418, outcome: 'client_error', term: 'CE' }],
  ] as const)
    it(`writes the line of an exchange if a middleware does ${gateWay}`, async () => {
      const headers = { ...goodHeaders, 'x-gate': gateWay };
      expect(await lineOf({ ...callOf('chat', MODEL), headers }, 'exchange')).to.deep.include({
        route: '/v1/chat/completions',
        operation: 'generate',
        attempts: [],
        ...fields,
      });
    });

  it('writes no line for health checks', async () => {
    const before = gateway.lines.length;
    for (const path of ['/livez', '/readyz', '/startupz'])
      expect((await send(gateway.url, { method: 'GET', path })).status).to.equal(200);
    await send(gateway.url, { method: 'GET', path: '/v1/models' });
    await until('the last one is logged', () => gateway.lines.length > before);
    expect(gateway.lines.slice(before).map(({ fields }) => fields['path'])).to.deep.equal(['/v1/models']);
  });

  it('redacts a secret in an unknown path', async () => {
    const line = await lineOf({ method: 'GET', path: `/${KEY}`, headers: {} });
    expect(line['path']).to.equal('/[redacted]');
  });

  it('has the fields that plugins add', async () => {
    expect(await lineOf({ method: 'GET', path: '/v1/models' })).to.have.deep.property('fields', {
      'gate.seen': 'models',
    });
  });

  it('takes a place of a limit of concurrent requests until its response is ready', async () => {
    const calls = slowCalls;
    const first = send(gateway.url, { method: 'GET', path: SLOW });
    await until('the endpoint is called', () => slowCalls > calls);
    for (const request of [{ method: 'GET', path: '/v1/models' }, callOf('chat', MODEL)]) {
      const { status, headers } = await send(gateway.url, request);
      expect([status, headers['x-koine-limit']]).to.deep.equal([429, 'key;concurrent']);
    }
    slow.resolve({ body: 'done' });
    expect((await first).status).to.equal(200);
    await until('the place is free', async () => (await send(gateway.url, callOf('chat', MODEL))).status === 200);
  });

  it('ends with 499 if its client left', async () => {
    const calls = slowCalls;
    const before = linesOf('request').length;
    const request = requestHttp(`${gateway.url}${SLOW}`, { headers: goodHeaders, agent: false });
    request.on('error', () => {}).end();
    await until('the endpoint is called', () => slowCalls > calls);
    request.destroy();
    // The gateway has seen that the client left when the next request is served.
    await send(gateway.url, { method: 'GET', path: '/livez' });
    slow.resolve({ body: 'late' });
    await until('it is logged', () => linesOf('request').length > before);
    expect(linesOf('request').at(-1)).to.include({ route: SLOW, status: 499, outcome: 'client_closed', term: 'CD' });
  });
});
