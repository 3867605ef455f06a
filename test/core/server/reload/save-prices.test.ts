import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { listPriceHistory } from '../../../../core/catalog/price-history.ts';
import { loadConfig, type LoadedConfig } from '../../../../core/config/load.ts';
import { savePrices } from '../../../../core/server/reload/save-prices.ts';
import { openDatabase, type Database } from '../../../../core/services/database/database.ts';
import { startGateway } from '../../../../core/gateway.ts';
import { systemClock } from '../../../../core/services/clock.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import auth from '../../../../plugins/auth/index.ts';
import openai from '../../../../providers/openai/index.ts';
import simulator from '../../../../providers/simulator/index.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const shipped = 'gpt-5.5';

describe('the prices of an activated configuration', () => {
  const folder = createTemporaryFolder();
  let database: Database;
  let warnings: string[];
  beforeEach(async () => {
    database = await openDatabase('sqlite::memory:');
    warnings = [];
  });
  afterEach(() => database.destroy());
  after(folder.remove);

  const load = (input: number, more: object = {}): Promise<LoadedConfig> => {
    const file = join(folder.path, 'gateway.yaml');
    const targets = (provider: string, model: string) => ({ targets: [{ provider, model }] });
    const settings = {
      ...more,
      providers: { simulator: { use: 'simulator' }, openai: { use: 'openai', config: { apiKey: 'none' } } },
      models: {
        'a/listed': targets('openai', shipped),
        'a/own': { ...targets('simulator', 'own'), price: { input, output: 2 } },
        'a/unpriced': targets('openai', 'gpt-9'),
      },
    };
    writeFileSync(file, JSON.stringify(settings));
    return loadConfig(file, { provider: { openai, simulator }, plugin: { auth } }, {});
  };
  const keep = async (input: number, now: number): Promise<void> =>
    savePrices({
      loaded: await load(input),
      database,
      clock: { now: () => now },
      log: { warn: (_fields: object, text: string) => void warnings.push(text) },
    });

  it('adds the prices of the file and those of providers to the price history', async () => {
    await keep(1, 1_000);
    await keep(3, 2_000);
    const recorded = await listPriceHistory(database);
    const history = recorded.filter(({ target }) => target === `openai/${shipped}` || target === 'simulator/own');
    expect(history.map(({ target, firstSeenAt }) => [target, firstSeenAt])).to.deep.equal([
      [`openai/${shipped}`, 1_000],
      ['simulator/own', 1_000],
      ['simulator/own', 2_000],
    ]);
    expect(history[0]?.price.source.page).to.match(/^https:/);
    expect(history.slice(1).map(({ price }) => price.input)).to.deep.equal([1_000_000_000n, 3_000_000_000n]);
    expect(warnings).to.deep.equal([]);
  });

  it('adds the shipped prices of models without a target, which vendors can use', async () => {
    await keep(1, 1_000);
    const targets = (await listPriceHistory(database)).map(({ target }) => target);
    expect(targets).to.include.members(['openai/gpt-4.1', 'openai/o3', 'simulator/chat']);
    expect(targets.filter((target) => target === `openai/${shipped}`)).to.have.length(1);
    expect(targets).to.not.include('openai/gpt-9');
  });

  it('are written beside the requests, after a start and after a reload, and the end waits for them', async () => {
    const store = `sqlite:${join(folder.path, 'koine.db')}`;
    const more = { server: { port: 0 }, admin: { port: 0 }, store: { database: store }, plugins: [{ use: 'auth' }] };
    const gateway = await startGateway(await load(1, more), {
      log: createTestLog(),
      clock: systemClock,
      load: () => load(3, more),
    });
    expect((await gateway.reloads.request('signal')).result).to.equal('reloaded');
    await gateway.stop();
    const after = await openDatabase(store);
    const history = (await listPriceHistory(after)).filter(({ target }) => target === 'simulator/own');
    await after.destroy();
    expect(history.map(({ price }) => price.input)).to.deep.equal([1_000_000_000n, 3_000_000_000n]);
  }).timeout(60_000);

  it('logs a database that is unavailable, and does not fail', async () => {
    await database.schema.dropTable('prices').execute();
    await keep(1, 1_000);
    expect(warnings).to.deep.equal(['the prices in force could not be written to the database']);
  });
});
