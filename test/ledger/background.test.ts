import { expect } from 'chai';
import { NotFoundError } from 'openai';
import { requirePostgres } from '../support/servers/postgres.ts';
import { startBackgroundScene, type BackgroundScene } from './background-scene.ts';
import { stores } from './scene.ts';

for (const store of stores) {
  describe(`background responses of two gateways that are killed, on ${store}`, () => {
    let scene: BackgroundScene;
    before(async function () {
      if (store === 'postgres') requirePostgres(this);
      scene = await startBackgroundScene(store);
    });
    after(() => scene?.stop());

    it('each has one row and one settlement, by the first that sees its end: a poll at the other gateway, the other gateway, or the next one', async function () {
      this.timeout(150_000);
      const { vendor, clientOf, create, rowsOf, settled, expectOnce, start, kill, sums } = scene;
      const [one, two] = [await start(), await start()];
      const polled = await create(one);
      const orphans = [await create(one), await create(one)] as const;

      vendor.end(polled.response);
      expect(await clientOf(two).responses.retrieve(polled.response)).to.include({ status: 'completed' });
      await settled(polled.id);
      expect(await clientOf(one).responses.retrieve(polled.response)).to.include({ status: 'completed' });
      await expectOnce(polled.id);

      await kill(one);
      vendor.end(orphans[0].response);
      await settled(orphans[0].id);
      await expectOnce(orphans[0].id);
      expect((await rowsOf(orphans[1].id))[0]?.state).to.not.equal('settled');

      await kill(two);
      const three = await start();
      const foreign = await clientOf(three, 'other')
        .responses.retrieve(orphans[1].response)
        .catch((error: unknown) => error);
      expect(foreign).to.be.instanceOf(NotFoundError);
      expect(await clientOf(three).responses.retrieve(orphans[1].response)).to.include({ status: 'queued' });
      vendor.end(orphans[1].response);
      await settled(orphans[1].id);
      expect(await clientOf(three).responses.retrieve(orphans[1].response)).to.include({ status: 'completed' });
      for (const { id } of [polled, ...orphans]) await expectOnce(id);

      const { exchanges, cost } = await sums();
      const costs = await Promise.all([polled, ...orphans].map(async ({ id }) => (await rowsOf(id))[0]?.cost ?? 0));
      expect(exchanges).to.equal(3);
      expect(cost).to.equal(costs.reduce<bigint>((total, each) => total + BigInt(each), 0n));
    });
  });
}
