import { expect } from 'chai';
import { describeOnBoth } from '../../support/servers/databases.ts';
import { PASSWORD } from '../../support/servers/postgres.ts';
import { askAdmin, becomes, createKey, statusWith } from '../../support/admin.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { entryOf } from '../../support/scene.ts';

describeOnBoth('two gateways on one database', ({ fresh, ask }) => {
  const gateways: TestGateway[] = [];
  let url: string;
  const start = async (input: number): Promise<TestGateway> => {
    const models = { 'simulator/chat': { ...entryOf('simulator/chat'), price: { input, output: 2 } } };
    const gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models,
      store: { database: url },
    });
    gateways.push(gateway);
    return gateway;
  };
  before(async () => {
    url = await fresh();
  });
  after(() => Promise.all(gateways.map((gateway) => gateway.stop())));

  it('two gateways start at once, share their keys and keep both price lists', async () => {
    const [one, other] = await Promise.all([start(1), start(3)]);
    const { id, secret } = await createKey(one, { name: 'bob', organization: 'acme', project: 'web' });
    expect(await statusWith(other, secret)).to.equal(200);
    await askAdmin(other, 'DELETE', `/admin/keys/${id}`);
    await becomes(one, secret, 401);
    expect(await ask(url, 'SELECT target FROM prices')).to.deep.equal(['simulator/chat', 'simulator/chat']);
    expect(JSON.stringify(gateways.map(({ lines }) => lines)))
      .to.include('exchange')
      .and.not.include(PASSWORD);
  });
});
