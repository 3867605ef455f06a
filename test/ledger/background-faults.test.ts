import { expect } from 'chai';
import { DatabaseSync } from 'node:sqlite';
import { someTokens } from '../matrix/wires.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { requireRedis, startRedis } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import type { KoineProcess } from '../processes/koine-process.ts';
import { CAP, startBackgroundScene, type BackgroundScene } from './background-scene.ts';
import { stores } from './scene.ts';

const LIMIT_MS = 150_000;
/** A gateway computes each answer to these polls. */
const POLL_MS = 100;
const simulated = { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } };

for (const store of stores) {
  describe(`background responses and faults, on ${store}`, function () {
    this.timeout(LIMIT_MS);
    let scene: BackgroundScene;
    before(async function () {
      if (store === 'postgres') requirePostgres(this);
      scene = await startBackgroundScene(store);
    });
    after(() => scene?.stop());

    describe('of several processes', () => {
      // Otherwise they would follow the responses of the next test.
      afterEach(() => scene.end());

      it('a reservation in Redis is made at creation, kept after a kill -9 of its gateway, and settled once', async function () {
        requireRedis(this);
        const redis = await startRedis();
        try {
          const { vendor, create, start, kill, used, followed, settled, expectOnce } = scene;
          const [one, two] = [
            await start({ store: { redis: redis.url } }),
            await start({ store: { redis: redis.url } }),
          ];
          const ended = await create(one);
          await until('it is reserved', async () => (await used(two)) === CAP, POLL_MS);
          vendor.end(ended.response);
          await settled(ended.id);
          await until('the reservation is settled', async () => (await used(two)) === someTokens.output, POLL_MS);

          const orphan = await create(one);
          const both = someTokens.output + CAP;
          await until('the next one is reserved', async () => (await used(two)) === both, POLL_MS);
          await kill(one);
          // The lease of the dead gateway is over by then, and the other one has reserved.
          const isFollowed = async (): Promise<boolean> => (await followed(two)) === 1 && (await used(two)) === both;
          await until('the other gateway follows it, with a reservation', isFollowed, POLL_MS);
          vendor.end(orphan.response);
          await settled(orphan.id);
          await until('its reservation is settled', async () => (await used(two)) === 2 * someTokens.output, POLL_MS);
          for (const { id } of [ended, orphan]) await expectOnce(id);
        } finally {
          await redis.stop();
        }
      });

      it('two workers settle each once, also those of a worker that was killed', async () => {
        const { vendor, create, start, clientOf, used, settled, expectOnce, sums } = scene;
        const before = await sums();
        const koine = await start({ server: { workers: 2 } });
        await until('both workers serve', () => koine.workers().length === 2);
        const created = await Promise.all(Array.from({ length: 8 }, () => create(koine)));
        await until('all are reserved', async () => (await used(koine)) === created.length * CAP, POLL_MS);
        const [polled, left] = [created.slice(0, 4), created.slice(4)];
        for (const { response } of polled) vendor.end(response);
        const seen = await Promise.all(
          polled.flatMap(({ response }) => [
            clientOf(koine).responses.retrieve(response),
            clientOf(koine).responses.retrieve(response),
          ]),
        );
        expect(seen.every(({ status }) => status === 'completed')).to.equal(true);
        for (const { id } of polled) await settled(id);

        const [killed] = koine.workers();
        koine.kill(killed!);
        await until('a worker replaces it', () => koine.workers().length === 3);
        for (const { response } of left) vendor.end(response);
        for (const { id } of left) await settled(id);
        await until('all is settled', async () => (await used(koine)) === created.length * someTokens.output, POLL_MS);
        for (const { id } of created) await expectOnce(id);
        expect((await sums()).exchanges - before.exchanges).to.equal(created.length);
      });
    });

    describe('of one gateway', () => {
      let koine: KoineProcess;
      before(async () => {
        koine = await scene.start();
      });
      /** @param counted tokens before the response */
      const settledAfter = (counted: number): Promise<void> =>
        until(
          'its reservation is settled',
          async () => (await scene.used(koine)) === counted + someTokens.output,
          POLL_MS,
        );
      const vendorOnly: Record<string, unknown> = {};
      /** Takes the provider and its model out of the configuration. @param server settings */
      const removeVendor = (server: object = {}): Promise<void> =>
        scene.change(koine, (config) => {
          Object.assign(vendorOnly, { providers: config['providers'], models: config['models'] });
          Object.assign(config, { providers: { simulator: { use: 'simulator' } }, models: simulated });
          config['server'] = { ...config['server'], ...server };
        });
      const restoreVendor = (): Promise<void> =>
        scene.change(koine, (config) => void Object.assign(config, vendorOnly));

      it('one that ends while the database is away is settled once when it is back', async () => {
        const { vendor, create, used, settled, expectOnce, sums, postgres, url } = scene;
        const [before, counted] = [await sums(), await used(koine)];
        const created = await create(koine);
        const lock =
          postgres === undefined ? new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 }) : undefined;
        if (postgres === undefined) lock?.exec('BEGIN EXCLUSIVE');
        else await postgres.kill();
        vendor.end(created.response);
        const wanted = 'a background response could not be settled';
        await until('its end is seen', () => koine.lines().some(({ message }) => message === wanted));
        if (postgres === undefined) {
          lock?.exec('ROLLBACK');
          lock?.close();
        } else await postgres.restart();
        await settled(created.id);
        await settledAfter(counted);
        await expectOnce(created.id);
        expect((await sums()).exchanges - before.exchanges).to.equal(1);
      });

      it('one whose provider is changed while it runs is settled at that provider', async () => {
        const { vendor, create, change, used, settled, expectOnce } = scene;
        const counted = await used(koine);
        const created = await create(koine);
        await change(koine, ({ providers }) => {
          const { vendor: provider } = providers as { vendor: { timeouts?: object } };
          provider.timeouts = { connect: '2s' };
        });
        // The configuration before it may still follow it, and release its reservation later.
        const isFollowed = async (): Promise<boolean> =>
          (await scene.followed(koine)) === 1 && (await used(koine)) === counted + CAP;
        await until('it is followed again, with a reservation', isFollowed, POLL_MS);
        vendor.end(created.response);
        await settled(created.id);
        await settledAfter(counted);
        await expectOnce(created.id);
      });

      it('one whose provider is removed while it runs is settled when the provider is back', async () => {
        const { vendor, create, rowsOf, settled, expectOnce } = scene;
        const created = await create(koine);
        await removeVendor();
        const logged = koine.lines().length;
        vendor.end(created.response);
        const wanted = 'a background response could not be retrieved';
        await until('it cannot be retrieved', () =>
          koine
            .lines()
            .slice(logged)
            .some(({ message }) => message === wanted),
        );
        expect((await rowsOf(created.id))[0]?.state).to.not.equal('settled');
        await restoreVendor();
        await settled(created.id);
        await expectOnce(created.id);
      });

      it('one whose model is removed while it runs is settled with the price of its creation', async () => {
        const { vendor, create, change, settled, expectOnce, rowsOf } = scene;
        const created = await create(koine);
        await change(koine, (config) => {
          config['providers'] = { ...config['providers'], simulator: { use: 'simulator' } };
          config['models'] = simulated;
        });
        vendor.end(created.response);
        await settled(created.id);
        await expectOnce(created.id);
        expect(Number((await rowsOf(created.id))[0]?.cost)).to.be.above(0);
        await restoreVendor();
      });

      it('one whose provider stays away until server.backgroundTimeout is charged its reservation', async () => {
        const { create, rowsOf, settled, endsOf } = scene;
        const created = await create(koine);
        await removeVendor({ backgroundTimeout: '1s' });
        await settled(created.id);
        const [row] = await rowsOf(created.id);
        expect(row).to.include({ outcome: 'unfinished', usage_source: 'estimated', output_tokens: CAP });
        expect(Number(row?.cost)).to.be.above(CAP * 15_000 - 1);
        await until('its end is logged', () => endsOf(created.id).length > 0);
        expect(endsOf(created.id)).to.have.length(1);
      });
    });
  });
}
