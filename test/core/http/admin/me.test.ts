import { expect } from 'chai';
import type { AdminActor, AdminHandler, AdminRouter } from '../../../../core/contracts/admin.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { addMeCalls } from '../../../../core/http/admin/me/me.ts';
import { adminRequest } from '../../../support/admin.ts';

const person: AdminActor = {
  name: 'dora@acme.example',
  role: 'viewer',
  id: 'https://login.example.com d1',
  projects: ['acme/web'],
};

describe('the calls for a signed-in person without admin.personalKeys', () => {
  const handlers = new Map<string, AdminHandler>();
  const collect = (method: string) => (path: string, handler: AdminHandler) =>
    void handlers.set(`${method} ${path}`, handler);
  const router: AdminRouter = {
    get: collect('GET'),
    post: collect('POST'),
    patch: collect('PATCH'),
    delete: collect('DELETE'),
    page: () => {},
    panel: () => {},
  };
  addMeCalls(router, undefined);
  const answerTo = async (call: string, actor: AdminActor): Promise<unknown> => {
    try {
      return (await handlers.get(call)?.(adminRequest({ actor, body: {} })))?.body;
    } catch (thrown) {
      return GatewayError.is(thrown) ? thrown.code : thrown;
    }
  };

  it('describe the person without keys', async () => {
    expect(await answerTo('GET /admin/me', person)).to.deep.equal({ name: 'dora@acme.example', role: 'viewer' });
    expect(await answerTo('GET /admin/me', { name: 'token', role: 'admin' })).to.equal('permission_denied');
  });

  it('find no keys, and create none', async () => {
    const others = [...handlers.keys()].filter((call) => call !== 'GET /admin/me');
    expect(others).to.have.length(4);
    for (const call of others) expect(await answerTo(call, person), call).to.equal('not_found');
  });
});
