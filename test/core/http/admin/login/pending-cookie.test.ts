import { expect } from 'chai';
import Koa from 'koa';
import type { Context } from 'koa';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createPendingCookie } from '../../../../../core/http/admin/login/oidc/pending-cookie.ts';

const begun = { state: 's', nonce: 'n', verifier: 'v', redirectUri: 'https://koine.example', next: '/' };

describe('the cookie of a sign-in that has begun', () => {
  let passed = 0;
  const create = () => createPendingCookie({ monotonic: () => passed });
  const createContext = (cookie = ''): Context => {
    const request = new IncomingMessage(new Socket());
    request.headers.cookie = cookie;
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

  it('cannot be read by another process', () => {
    passed = 0;
    expect(create().take(createContext(written(create())))).to.equal(undefined);
  });
});
