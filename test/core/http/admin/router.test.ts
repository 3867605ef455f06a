import { expect } from 'chai';
import type { AdminHandler, PanelContent, AdminRouter } from '../../../../core/contracts/admin.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import type { AuditEntry } from '../../../../core/http/admin/audit/audit-entry.ts';
import { createAdminApp } from '../../../../core/http/admin/app.ts';
import { Sessions } from '../../../../core/http/admin/login/sessions.ts';
import { createHealth } from '../../../../core/http/health.ts';
import type { Listener } from '../../../../core/http/connection/listener.ts';
import { readError, send, type HttpReply, type HttpRequest } from '../../../support/http.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import { startListener, stopListener } from '../koa-server.ts';

const clock = { monotonic: () => performance.now(), now: () => 1_000 };
const json = { 'content-type': 'application/json' };

describe('the admin router', () => {
  const log = createTestLog();
  const listeners: Listener[] = [];
  const entries: AuditEntry[] = [];
  afterEach(async () => {
    entries.length = 0;
    for (const listener of listeners.splice(0)) await stopListener(listener);
    log.lines.length = 0;
  });
  const createApp = (fill: (routerOf: (owner: string) => AdminRouter) => void) =>
    createAdminApp({
      config: { host: '127.0.0.1' },
      health: createHealth(),
      log,
      clock,
      sessions: new Sessions(clock),
      audit: { record: async (entry) => void entries.push(entry) },
      fill,
    });
  const start = async (answer: AdminHandler): Promise<Listener> => {
    const listener = await startListener(
      createApp((routerOf) => {
        const router = routerOf('the core');
        for (const method of ['get', 'post', 'patch', 'delete'] as const) router[method]('/admin/things/{id}', answer);
      }),
    );
    listeners.push(listener);
    return listener;
  };
  const ask = async (answer: AdminHandler, request: Partial<HttpRequest> = {}): Promise<HttpReply> =>
    send((await start(answer)).url, { method: 'GET', path: '/admin/things/one', headers: json, ...request });

  for (const [name, path] of [
    ['id', '/admin/things/a%00b'],
    ['color', '/admin/things/one?color=%00'],
  ] as const)
    it(`refuses the null character in ${name}, which databases cannot compare`, async () => {
      const reply = await ask(() => ({ body: {} }), { path });
      expect(reply.status).to.equal(400);
      expect(readError(reply).error).to.include({
        param: name,
        message: `${name} has the character U+0000 (%00). Remove it.`,
      });
    });

  it('passes parameters, query, headers and body to an admin call, and sends its data as JSON', async () => {
    const reply = await ask(
      ({ params, query, body, headers }) => ({
        status: 201,
        headers: { 'x-more': 'yes' },
        body: { params, query, body, type: headers['content-type'] },
      }),
      {
        method: 'POST',
        path: '/admin/things/a%2Fb?color=red',
        body: '{"size":7}',
      },
    );
    expect(JSON.parse(reply.text)).to.deep.equal({
      params: { id: 'a/b' },
      query: { color: 'red' },
      body: { size: 7 },
      type: 'application/json',
    });
    expect(reply.status).to.equal(201);
    expect(reply.headers).to.include({
      'x-more': 'yes',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  it('passes the JSON body of a PATCH to an admin call, and refuses other types', async () => {
    const echo: AdminHandler = ({ body }) => ({ body });
    const patch = { method: 'PATCH', body: '{"size":8}' };
    expect((await ask(echo, patch)).text).to.equal('{"size":8}');
    expect((await ask(echo, { ...patch, headers: { 'content-type': 'text/plain' } })).status).to.equal(415);
  });

  it('sends the text of an admin call unchanged', async () => {
    const reply = await ask(() => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<p>hello' }));
    expect([reply.text, reply.headers['content-type']]).to.deep.equal(['<p>hello', 'text/html; charset=utf-8']);
  });

  it('an admin call accepts a POST without a body', async () => {
    expect((await ask(({ body }) => ({ body: { given: body !== undefined } }), { method: 'POST' })).text).to.equal(
      '{"given":false}',
    );
  });

  it('an admin call responds with errors in the plain shape, with their headers', async () => {
    const reply = await ask(() => {
      throw new GatewayError('conflict', 'There is one.', { param: 'name' });
    });
    expect(reply.status).to.equal(409);
    expect(JSON.parse(reply.text)).to.deep.equal({
      error: { message: 'There is one.', type: 'invalid_request_error', param: 'name', code: 'conflict' },
    });
    expect(reply.headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('an admin response shows no internal details of a failure', async () => {
    const broken = await ask(() => {
      throw new Error('the inside');
    });
    expect(broken.status).to.equal(500);
    const down = await ask(() => {
      throw new GatewayError('KOINE_STORE_FAILED', 'the inside');
    });
    expect([down.status, readError(down).error.code]).to.deep.equal([503, 'service_unavailable']);
    expect(broken.text + down.text).to.not.include('the inside');
    expect(log.lines.filter(({ level }) => level === 'error')).to.have.length(2);
  });

  for (const [what, body, status] of [
    ['broken JSON', '{"a":', 400],
    ['more than 1 MB', `"${'x'.repeat(1_048_576)}"`, 413],
  ] as const)
    it(`refuses ${what} as the body of an admin call`, async () =>
      expect((await ask(() => ({ body: {} }), { method: 'POST', body })).status).to.equal(status));

  it('refuses unknown admin paths and methods', async () => {
    expect((await ask(() => ({ body: {} }), { path: '/admin/others' })).status).to.equal(404);
    expect((await ask(() => ({ body: {} }), { method: 'PUT' })).status).to.equal(405);
  });

  it('sends no CORS headers, so that no other site can read a response', async () => {
    const reply = await ask(() => ({ body: {} }), {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
    });
    expect(reply.status).to.equal(403);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
  });

  describe('a page', () => {
    const startPage = async (headers: Record<string, string> = {}): Promise<Listener> => {
      const listener = await startListener(
        createApp((routerOf) =>
          routerOf('the plugin board').page('/board', 'The board', () => ({ headers, body: '<p>hello' })),
        ),
      );
      listeners.push(listener);
      return listener;
    };
    const get = async (path: string, headers?: Record<string, string>): Promise<HttpReply> =>
      send((await startPage(headers)).url, { method: 'GET', path, headers: {} });

    it('sends a page as HTML that can use files and calls of this listener only', async () => {
      const { text, headers } = await get('/board');
      expect([text, headers['content-type']]).to.deep.equal(['<p>hello', 'text/html; charset=utf-8']);
      expect(headers['content-security-policy'])
        .to.include("default-src 'none'; script-src 'self'")
        .and.include("frame-ancestors 'none'");
    });

    it('lets an admin page override its headers', async () => {
      expect((await get('/board', { 'content-security-policy': "default-src 'self'" })).headers).to.include({
        'content-security-policy': "default-src 'self'",
        'content-type': 'text/html; charset=utf-8',
      });
    });

    it('lists an admin page with its title and its owner', async () => {
      expect(JSON.parse((await get('/admin/pages')).text)).to.deep.equal({
        login: false,
        actor: { name: 'loopback', role: 'admin' },
        pages: [{ path: '/board', title: 'The board', owner: 'the plugin board' }],
        panels: [],
      });
    });
  });

  describe('a panel', () => {
    const getPanel = async (content: unknown, path = '/board/panel'): Promise<HttpReply> => {
      const listener = await startListener(
        createApp((routerOf) =>
          routerOf('the plugin board').panel(
            '/board/panel',
            { page: 'providers', title: 'Quota' },
            () => content as PanelContent,
          ),
        ),
      );
      listeners.push(listener);
      return send(listener.url, { method: 'GET', path, headers: {} });
    };

    it('sends the content of a panel, without members that a panel does not have', async () => {
      const content = {
        figures: [{ name: 'Left', value: '12 %' }],
        table: { columns: [{ title: 'Team' }], rows: [['web']] },
        text: 'So far.',
      };
      expect(JSON.parse((await getPanel({ ...content, html: '<p>' })).text)).to.deep.equal(content);
    });

    it('lists a panel with its page, its title and its owner', async () => {
      expect(JSON.parse((await getPanel({}, '/admin/pages')).text)).to.deep.include({
        panels: [{ path: '/board/panel', title: 'Quota', owner: 'the plugin board', page: 'providers' }],
      });
    });

    for (const [part, content] of [
      ['content', 'text'],
      ['content', []],
      ['figures', { figures: {} }],
      ['figures', { figures: [{ name: 'Left', value: 12 }] }],
      ['table', { table: { rows: [] } }],
      ['table', { table: { columns: [{}], rows: [] } }],
      ['table', { table: { columns: [{ title: 'Team' }], rows: [[1]] } }],
      ['text', { text: 1 }],
    ] as const)
      it(`refuses a panel that cannot be shown: ${JSON.stringify(content)}`, async () => {
        const reply = await getPanel(content);
        expect(reply.status).to.equal(500);
        expect(log.lines.map(({ fields }) => String(fields['error'])).join()).to.include(
          `the plugin board returned a panel that cannot be shown: ${part === 'content' ? 'the content' : part} is not`,
        );
      });
  });

  describe('the audit', () => {
    const auditOf = () => log.lines.filter(({ text }) => text === 'admin call').map(({ fields }) => fields);

    it('logs the caller, the call, its status and its facts for each change', async () => {
      await ask(() => ({ status: 201, body: {}, audit: { key: 'k1', after: 'f00' } }), { method: 'POST' });
      await ask(() => ({ body: {} }), { method: 'PATCH' });
      await ask(() => ({ body: {} }), { method: 'DELETE' });
      const caller = { who: 'loopback', role: 'admin', address: '127.0.0.1' };
      expect(auditOf()).to.deep.equal([
        { ...caller, call: 'POST /admin/things/{id}', status: 201, key: 'k1', after: 'f00' },
        { ...caller, call: 'PATCH /admin/things/{id}', status: 200 },
        { ...caller, call: 'DELETE /admin/things/{id}', status: 200 },
      ]);
    });

    it('logs failed admin calls, and no calls that only read', async () => {
      await ask(() => ({ body: {} }));
      const refuse = (): never => {
        throw new GatewayError('not_found');
      };
      await ask(refuse, { method: 'DELETE', path: '/admin/things/a-secret-by-mistake' });
      await ask(() => ({ body: {} }), { method: 'POST', body: '{"secret' });
      expect(auditOf().map((fields) => ({ ...fields }))).to.have.nested.property('[0].code', 'not_found');
      expect(auditOf()).to.have.length(2);
      expect(JSON.stringify(log.lines)).to.not.include('secret');
    });
  });

  describe('a path', () => {
    const answer: AdminHandler = () => ({ body: {} });
    it('rejects an admin path that two owners add, and names both', () => {
      const fill = (second: string) => () =>
        createApp((routerOf) => {
          routerOf('the core').get('/admin/things/{id}', answer);
          routerOf('the plugin board').get(second, answer);
        });
      expect(fill('/admin/things/{name}'))
        .to.throw(GatewayError, /the plugin board.*the core/)
        .with.property('code', 'KOINE_EXTENSION_DUPLICATE');
      expect(fill('/Admin/Things/{id}')).to.throw(GatewayError);
      expect(fill('/admin/things')).to.not.throw();
    });

    it('accepts two methods on one admin path, and no path of health', () => {
      const add = (method: 'get' | 'post', path: string) => () =>
        createApp((routerOf) => routerOf('the plugin board')[method](path, answer));
      expect(add('get', '/livez')).to.throw(GatewayError, /health/);
      expect(() =>
        createApp((routerOf) => {
          routerOf('one').get('/page', answer);
          routerOf('two').post('/page', answer);
        }),
      ).to.not.throw();
    });
  });
});
