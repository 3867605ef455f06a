import { expect } from 'chai';
import type { AdminHandler, AdminRouter } from '../../../../core/contracts/admin.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { addKeyCalls } from '../../../../core/http/admin/keys.ts';
import type { KeyRegister } from '../../../../core/tenancy/key-register.ts';
import type { ListedKey } from '../../../../core/tenancy/listed-key.ts';
import { adminRequest } from '../../../support/admin.ts';

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const fresh: ListedKey = {
  id: 'k1',
  name: 'bob',
  organization: 'acme',
  project: 'web',
  models: [],
  disabled: false,
  origin: 'database',
};
const never = (): never => {
  throw new GatewayError('internal_error');
};

/** A slow database. */
const createSlowRegister = (): KeyRegister & { readonly changes: readonly string[] } => {
  const changes: string[] = [];
  let key = fresh;
  const look = async (): Promise<ListedKey> => {
    const seen = key;
    await soon();
    return seen;
  };
  return {
    changes,
    named: never,
    similar: never,
    present: never,
    page: async () => [{ key: await look(), position: [0, ''] }],
    projects: () => [],
    examine: never,
    version: async () => JSON.stringify(await look()),
    get: look,
    create: never,
    createAll: never,
    change: never,
    rotate: never,
    revoke: async (id) => {
      const before = await look();
      key = { ...before, disabled: true };
      changes.push(id);
      return { before, after: key };
    },
  };
};

describe('changes to keys', () => {
  const collect = (keys: KeyRegister): ReadonlyMap<string, AdminHandler> => {
    const answers = new Map<string, AdminHandler>();
    const router: AdminRouter = {
      get: (path, answer) => void answers.set(`GET ${path}`, answer),
      post: (path, answer) => void answers.set(`POST ${path}`, answer),
      patch: (path, answer) => void answers.set(`PATCH ${path}`, answer),
      delete: (path, answer) => void answers.set(`DELETE ${path}`, answer),
      page: never,
      panel: never,
    };
    addKeyCalls(router, keys, { now: () => 0 });
    return answers;
  };

  it('makes changes to keys one after the other, so that none is based on a state that another is changing', async () => {
    const keys = createSlowRegister();
    const answers = collect(keys);
    const request = adminRequest({ params: { id: 'k1' } });
    const tag = (await answers.get('GET /admin/keys/{id}')?.(request))?.headers?.['etag'] ?? '';
    const revoke = async (): Promise<string> => {
      try {
        await answers.get('DELETE /admin/keys/{id}')?.({ ...request, headers: { 'if-match': tag } });
        return 'done';
      } catch (thrown) {
        return GatewayError.is(thrown) ? thrown.code : 'unknown';
      }
    };
    expect(await Promise.all([revoke(), revoke(), revoke()])).to.deep.equal([
      'done',
      'precondition_failed',
      'precondition_failed',
    ]);
    expect(keys.changes).to.deep.equal(['k1']);
  });

  it('makes the next change to a key although one failed', async () => {
    const keys = createSlowRegister();
    const answers = collect(keys);
    const failing = Promise.resolve(answers.get('POST /admin/keys')?.(adminRequest({ body: { name: 'x' } }))).catch(
      (error: unknown) => error,
    );
    expect(
      (await answers.get('DELETE /admin/keys/{id}')?.(adminRequest({ params: { id: 'k1' } })))?.body,
    ).to.deep.include({ disabled: true });
    expect(await failing).to.be.instanceOf(GatewayError);
  });
});
