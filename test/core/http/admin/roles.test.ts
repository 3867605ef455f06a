import { expect } from 'chai';
import type { AdminRequest } from '../../../../core/contracts/admin.ts';
import { createAdminApp } from '../../../../core/http/admin/app.ts';
import type { AuditEntry } from '../../../../core/http/admin/audit/audit-entry.ts';
import { Sessions } from '../../../../core/http/admin/login/sessions.ts';
import { roles } from '../../../../core/http/admin/roles.ts';
import type { Listener } from '../../../../core/http/connection/listener.ts';
import { createHealth } from '../../../../core/http/health.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import { omitUndefined } from '../../../../core/api/codec.ts';
import { readError, send, type HttpReply } from '../../../support/http.ts';
import { startListener, stopListener } from '../koa-server.ts';

const clock = { monotonic: () => performance.now(), now: () => 1_000 };

describe('the roles of the admin listener', () => {
  const log = createTestLog();
  const sessions = new Sessions(clock);
  const entries: AuditEntry[] = [];
  let listener: Listener;
  before(async () => {
    listener = await startListener(
      createAdminApp({
        config: { host: '127.0.0.1', token: 'secret' },
        health: createHealth(),
        log,
        clock,
        sessions,
        audit: { record: async (entry) => void entries.push(entry) },
        fill: (routerOf) => {
          const router = routerOf('the core');
          const answer = ({ actor: { name, role } }: Pick<AdminRequest, 'actor'>) => ({
            body: { actor: { name, role } },
          });
          router.get('/things', answer);
          router.get('/secrets', answer, { summary: 'For admins.', role: 'admin' });
          router.post('/things', answer, { summary: 'For editors.', role: 'editor' });
          router.post('/questions', answer, { summary: 'For all.', role: 'viewer' });
          router.delete('/things/{id}', answer);
          router.post('/own', answer, { summary: 'For developers.', role: 'developer' });
          router.page('/board', 'Board', answer);
          router.page('/own', 'Own', answer, 'developer');
          router.panel('/panel', { page: 'providers', title: 'Panel', role: 'editor' }, () => ({ text: 'Hello' }));
        },
      }),
    );
  });
  after(() => stopListener(listener));
  beforeEach(() => {
    log.lines.length = 0;
    entries.length = 0;
  });
  const ask = (role: (typeof roles)[number], method: string, path: string): Promise<HttpReply> => {
    const cookie = `koine_admin_${new URL(listener.url).port}=${sessions.open({ name: `a-${role}`, role }, 60_000)}`;
    const headers = { cookie, 'content-type': 'application/json', 'x-koine-page': '1' };
    return send(listener.url, omitUndefined({ method, path, headers, body: method === 'POST' ? '{}' : undefined }));
  };

  for (const [call, least] of [
    ['GET /things', 'viewer'],
    ['POST /questions', 'viewer'],
    ['POST /things', 'editor'],
    ['DELETE /things/one', 'admin'],
    ['GET /secrets', 'admin'],
    ['POST /own', 'developer'],
    ['GET /board', 'viewer'],
    ['GET /own', 'developer'],
  ] as const)
    it(`${call} can be called from the role ${least} on, and the refusal names that role`, async () => {
      const [method = '', path = ''] = call.split(' ');
      for (const role of roles) {
        const reply = await ask(role, method, path);
        if (roles.indexOf(role) >= roles.indexOf(least)) {
          expect([reply.status, JSON.parse(reply.text)]).to.deep.equal([200, { actor: { name: `a-${role}`, role } }]);
        } else {
          expect([reply.status, readError(reply).error]).to.deep.equal([
            403,
            {
              message:
                `This call needs the role ${least}, and a-${role} has the role ${role}. ` +
                'The roles of people come from admin.oidc.roles of gateway.yaml.',
              type: 'invalid_request_error',
              param: null,
              code: 'permission_denied',
            },
          ]);
        }
      }
    });

  it('treats HEAD as GET', async () => {
    expect((await ask('viewer', 'HEAD', '/things')).status).to.equal(200);
    expect((await ask('viewer', 'HEAD', '/secrets')).status).to.equal(403);
    expect(entries.map(({ action }) => action)).to.deep.equal(['GET /secrets']);
  });

  it('records changes and refusals with the name of the person, and nothing that only reads', async () => {
    for (const call of ['GET /things', 'GET /secrets', 'POST /questions', 'POST /things', 'DELETE /things/one']) {
      const [method = '', path = ''] = call.split(' ');
      await ask('editor', method, path);
    }
    const shown = entries.map(({ actor, role, action, status }) => [actor, role, action, status]);
    expect(shown).to.deep.equal([
      ['a-editor', 'editor', 'GET /secrets', 403],
      ['a-editor', 'editor', 'POST /things', 200],
      ['a-editor', 'editor', 'DELETE /things/{id}', 403],
    ]);
    expect(log.lines.map(({ text }) => text)).to.deep.equal(['admin call', 'admin call', 'admin call']);
  });

  it('lists the pages and panels that the caller may open', async () => {
    const titlesFor = async (role: (typeof roles)[number]): Promise<readonly string[]> => {
      const { pages, panels } = JSON.parse((await ask(role, 'GET', '/admin/pages')).text) as Readonly<
        Record<'pages' | 'panels', readonly { readonly title: string }[]>
      >;
      return [...pages, ...panels].map(({ title }) => title);
    };
    expect(await titlesFor('developer')).to.deep.equal(['Own']);
    expect(await titlesFor('viewer')).to.deep.equal(['Board', 'Own']);
    expect(await titlesFor('editor')).to.deep.equal(['Board', 'Own', 'Panel']);
  });

  it('describes the least role of each call', async () => {
    const { paths } = JSON.parse((await ask('viewer', 'GET', '/admin/openapi.json')).text) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
    };
    const roleOf = (path: string, method: string): unknown => paths[path]?.[method]?.['x-koine-role'];
    expect([roleOf('/things', 'get'), roleOf('/things', 'post'), roleOf('/things/{id}', 'delete')]).to.deep.equal([
      'viewer',
      'editor',
      'admin',
    ]);
  });
});
