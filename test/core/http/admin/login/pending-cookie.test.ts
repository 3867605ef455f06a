import { expect } from 'chai';
import Koa, { type Context } from 'koa';
import { IncomingMessage, ServerResponse, type IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { createPendingCookie } from '../../../../../core/http/admin/login/oidc/pending-cookie.ts';

const begun = { state: 's', nonce: 'n', verifier: 'v', redirectUri: 'https://koine.example', next: '/' };

describe('the cookie of a sign-in that has begun', () => {
  let passed = 0;
  const create = () => createPendingCookie({ monotonic: () => passed });
  const createContext = (cookie = '', headers: IncomingHttpHeaders = {}): Context => {
    const request = new IncomingMessage(new Socket());
    request.headers = { ...headers, cookie };
    return new Koa().createContext(request, new ServerResponse(request)) as Context;
  };
  const written = (pending: ReturnType<typeof create>): string => {
    const context = createContext();
    pending.write(context, begun);
    const [cookie = ''] = [context.response.get('set-cookie')].flat();
    expect(cookie).to.match(/; Path=\/admin\/login; HttpOnly; SameSite=Lax; Max-Age=600$/);
    return cookie.split(';')[0] ?? '';
  };

  it('keeps a sign-in for ten minutes', () => {
    const pending = create();
    const [early, late] = [written(pending), written(pending)];
    expect(early).to.not.equal(late);
    passed = 599_999;
    expect(pending.take(createContext(early))).to.deep.equal(begun);
    passed = 600_000;
    expect(pending.take(createContext(late))).to.equal(undefined);
  });

  it('has the prefix __Host- over https, and only such a cookie is read there', () => {
    const pending = create();
    const https = { 'x-forwarded-proto': 'https' };
    const context = createContext('', https);
    pending.write(context, begun);
    const [cookie = ''] = [context.response.get('set-cookie')].flat();
    expect(cookie).to.match(/^__Host-koine_sign_in_0=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/);
    const value = cookie.split(';')[0] ?? '';
    expect(pending.take(createContext(value.slice('__Host-'.length), https))).to.equal(undefined);
    expect(pending.take(createContext(value, https))).to.deep.equal(begun);
  });

  it('cannot be read by another process', () => {
    passed = 0;
    expect(create().take(createContext(written(create())))).to.equal(undefined);
  });
});
