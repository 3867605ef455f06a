import { expect } from 'chai';
import { omitUndefined } from '../../core/api/codec.ts';
import { becomes, json, readJson, statusWith, type Issued } from '../support/admin.ts';
import { KEY } from '../support/gateway.ts';
import { send } from '../support/http.ts';
import { startKoine, type KoineProcess } from './koine-process.ts';

interface Explanation {
  readonly plugins: readonly {
    readonly use: string;
    readonly says?: { readonly limits: readonly { readonly unit: string; readonly remaining?: number }[] };
  }[];
}

describe('the admin API in front of workers', () => {
  let koine: KoineProcess;
  before(async () => {
    const organizations = {
      acme: { projects: { web: { keys: { alice: { key: KEY, limits: [{ requests: 60, per: '1h' }] } } } } },
    };
    koine = await startKoine({
      server: { workers: 2 },
      organizations,
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
    });
  });
  after(() => koine?.end());
  const ask = (method: string, path: string, body?: object) =>
    send(
      koine.adminUrl,
      omitUndefined({
        method,
        path,
        headers: json,
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    );

  it('explains the limits that remain after requests to any worker', async () => {
    for (let count = 0; count < 6; count += 1) expect(await statusWith(koine, KEY)).to.equal(200);
    const { plugins } = readJson<Explanation>(
      await ask('POST', '/admin/explain', { key: 'alice', model: 'simulator/chat' }),
    );
    expect(
      plugins.find(({ use }) => use === 'rate-limit')?.says?.limits.find(({ unit }) => unit === 'requests')?.remaining,
    ).to.equal(54);
  });

  it('creates and revokes keys for all workers', async () => {
    const { id, secret } = readJson<Issued>(
      await ask('POST', '/admin/keys', { name: 'bob', organization: 'acme', project: 'web' }),
      201,
    );
    const statuses = async (): Promise<ReadonlySet<number>> =>
      new Set(await Promise.all(Array.from({ length: 12 }, () => statusWith(koine, secret))));
    expect(await statuses()).to.deep.equal(new Set([200]));
    readJson(await ask('DELETE', `/admin/keys/${id}`));
    await becomes(koine, secret, 401);
    // Each worker caches keys for one second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await statuses()).to.deep.equal(new Set([401]));
  });
});
