import { expect } from 'chai';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { json, readJson } from '../../support/admin.ts';
import { KEY } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { until } from '../../support/until.ts';

interface Shown {
  readonly worker: number;
  readonly key_alias: string;
  readonly life: {
    readonly limits: readonly Readonly<Record<string, unknown>>[];
    readonly attempts: readonly { readonly startedMs: number; readonly headersMs: number }[];
  };
}

describe('the playground of a gateway with workers', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({
      server: { workers: 2 },
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
      organizations: {
        acme: { projects: { web: { keys: { alice: { key: KEY, limits: [{ requests: 60, per: '1m' }] } } } } },
      },
    });
  });
  after(() => koine?.end());

  it('a worker serves the request as the key that the main thread granted, and reports its life', async () => {
    const body = { model: 'simulator/chat', messages: [{ role: 'user', content: 'Hello' }] };
    const reply = await send(koine.adminUrl, {
      method: 'POST',
      path: '/admin/playground',
      headers: json,
      body: JSON.stringify({ key: 'alice', path: '/v1/chat/completions', body }),
    });
    expect(reply.status, reply.text).to.equal(200);
    const path = `/admin/exchanges?id=${String(reply.headers['x-request-id'])}`;
    let found: Shown | undefined;
    await until('the exchange is reported', async () => {
      [found] = readJson<{ exchanges: Shown[] }>(
        await send(koine.adminUrl, { method: 'GET', path, headers: {} }),
      ).exchanges;
      return found !== undefined;
    });
    expect(found).to.include({ key_alias: 'alice' });
    expect(found?.worker).to.be.greaterThan(0);
    const [limit] = found?.life.limits ?? [];
    expect(limit).to.include({ scope: 'key', name: 'alice', unit: 'requests', amount: 60, reserves: 1, remaining: 59 });
    expect(found?.life.attempts[0]?.startedMs).to.be.at.least(0);
  });
});
