import { expect } from 'chai';
import Koa from 'koa';
import type { OutgoingHttpHeaders } from 'node:http';
import { createAccessCheck } from '../../../../core/http/admin/access-check.ts';
import { Sessions } from '../../../../core/http/admin/login/sessions.ts';
import { createTokenCheck } from '../../../../core/http/admin/login/token.ts';
import { createErrorBoundary } from '../../../../core/http/error-boundary.ts';
import type { Listener } from '../../../../core/http/connection/listener.ts';
import { readError, send, type HttpReply } from '../../../support/http.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import { startListener, stopListener } from '../koa-server.ts';

const clock = { monotonic: () => performance.now(), now: () => Date.now() };
const json = { 'content-type': 'application/json' };

describe('the access check of the admin listener', () => {
  const log = createTestLog();
  const listeners: Listener[] = [];
  afterEach(async () => {
    for (const listener of listeners.splice(0)) await stopListener(listener);
    log.lines.length = 0;
  });
  const start = async (token: string | undefined, host: string): Promise<Listener> => {
    const app = new Koa();
    app.use(createErrorBoundary(log, 'All is elsewhere.')).use(
      createAccessCheck(
        {
          host,
          tokenCheck: token === undefined ? undefined : createTokenCheck(token, clock),
          sessions: new Sessions(clock),
        },
        log,
      ),
    );
    app.use((context) => {
      context.body = 'a page';
    });
    const listener = await startListener(app.callback());
    listeners.push(listener);
    return listener;
  };
  const ask = async (
    method: string,
    headers: OutgoingHttpHeaders,
    { token, host = '127.0.0.1' }: { readonly token?: string; readonly host?: string } = {},
  ): Promise<HttpReply> => send((await start(token, host)).url, { method, path: '/page', headers });

  describe('with a token', () => {
    it('accepts the admin token, however Bearer is spelled', async () => {
      for (const authorization of ['Bearer secret', 'bearer  secret', 'secret'])
        expect((await ask('GET', { authorization }, { token: 'secret' })).status, authorization).to.equal(200);
    });

    for (const wrong of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer secre',
      'Bearer secrets',
      'Bearer SECRET',
      'Basic secret',
      'Bearer Bearer secret',
    ]) {
      it(`refuses ${JSON.stringify(wrong ?? null)} instead of the admin token, and logs it`, async () => {
        const reply = await ask('GET', wrong === undefined ? {} : { authorization: wrong }, { token: 'secret' });
        expect(reply.status).to.equal(401);
        expect(readError(reply).error.code).to.equal('invalid_api_key');
        expect(log.lines.map(({ text }) => text)).to.deep.equal(['admin call refused']);
        expect(reply.text + JSON.stringify(log.lines)).to.not.include('secret');
      });
    }

    it('accepts any Host header with a token: a page that guesses the name has no token', async () => {
      expect(
        (await ask('GET', { authorization: 'Bearer secret', host: 'koine.internal:8788' }, { token: 'secret' })).status,
      ).to.equal(200);
    });
  });

  describe('without a token', () => {
    for (const host of [
      'localhost',
      'localhost:8788',
      'LOCALHOST',
      '127.0.0.1:8788',
      '127.8.8.8',
      '[::1]:8788',
      'gateway.internal:8788',
    ])
      it(`accepts the Host header ${host} without a token`, async () =>
        expect((await ask('GET', { host }, { host: 'gateway.internal' })).status).to.equal(200));

    for (const host of [
      'evil.example',
      'evil.example:8788',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      '128.0.0.1',
      '127.0.0.1#@evil.example',
      'evil.example#@127.0.0.1',
      '127.0.0.1/',
      '[::2]',
      '10.0.0.1',
    ])
      it(`refuses the Host header ${host} without a token: a site could point its name here`, async () => {
        const reply = await ask('GET', { host });
        expect(reply.status).to.equal(403);
        expect(readError(reply).error.code).to.equal('permission_denied');
      });
  });

  for (const token of [undefined, 'secret'])
    describe(`a page in a browser, ${token === undefined ? 'without' : 'with'} a token`, () => {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const options = token === undefined ? {} : { token };

      for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'file://'])
        it(`refuses a page of ${origin}, whatever it sends, ${token === undefined ? 'without' : 'with'} a token`, async () => {
          for (const method of ['GET', 'POST', 'DELETE'])
            expect((await ask(method, { ...authorization, ...json, origin }, options)).status, method).to.equal(403);
        });

      for (const site of ['cross-site', 'same-site', 'Cross-Site', 'rubbish'])
        it(`refuses Sec-Fetch-Site ${site}, also without an Origin, ${token === undefined ? 'without' : 'with'} a token`, async () => {
          const headers = { ...authorization, ...json, 'sec-fetch-site': site };
          for (const method of ['GET', 'POST', 'DELETE'])
            expect((await ask(method, headers, options)).status, method).to.equal(403);
          for (const dest of ['iframe', 'script', 'empty']) {
            expect(
              (await ask('GET', { ...headers, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest }, options)).status,
              dest,
            ).to.equal(403);
          }
        });

      it('lets a link of another site lead to a page, since that changes nothing', async () => {
        const link = {
          ...authorization,
          ...json,
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
        };
        expect([(await ask('GET', link, options)).status, (await ask('POST', link, options)).status]).to.deep.equal([
          200, 403,
        ]);
      });

      it('accepts requests that the browser marks as same-origin, or as typed by a person', async () => {
        for (const site of ['same-origin', 'none'])
          expect(
            (await ask('POST', { ...authorization, ...json, 'sec-fetch-site': site }, options)).status,
            site,
          ).to.equal(200);
      });

      it("accepts requests of the admin listener's own pages", async () => {
        const headers = { ...authorization, ...json, host: 'localhost:8788', origin: 'http://localhost:8788' };
        expect((await ask('POST', headers, options)).status).to.equal(200);
      });

      for (const type of [
        undefined,
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'text/plain; application/json',
        'application/jsonx',
      ])
        it(`refuses a posted form (${type ?? 'no content type'})`, async () => {
          expect(
            (await ask('POST', { ...authorization, ...(type === undefined ? {} : { 'content-type': type }) }, options))
              .status,
          ).to.equal(415);
        });

      it('accepts any spelling of the JSON content type', async () => {
        for (const type of ['application/json', 'Application/JSON; charset=utf-8'])
          expect((await ask('POST', { ...authorization, 'content-type': type }, options)).status).to.equal(200);
      });
    });
});
