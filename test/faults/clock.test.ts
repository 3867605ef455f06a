import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../core/config/load.ts';
import { startGateway, type Gateway } from '../../core/gateway.ts';
import { systemClock } from '../../core/services/clock.ts';
import { createTestLog } from '../../core/testing/index.ts';
import { builtIns, KEY } from '../support/gateway.ts';
import { stringify } from 'yaml';
import { configOf } from '../processes/koine-process.ts';
import { createAsk } from '../reload/generations.ts';

const HOUR = 3_600_000;

describe('the wall clock jumps by an hour and back (46)', () => {
  let folder: string;
  let gateway: Gateway;
  let client: ReturnType<typeof createAsk>;
  let offset = 0;
  const log = createTestLog();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'koine-clock-'));
    const file = join(folder, 'gateway.yaml');
    const organizations = {
      acme: { projects: { web: { keys: { alice: { key: KEY, limits: [{ requests: 4, per: '1m' }] } } } } },
    };
    await writeFile(
      file,
      stringify(
        configOf({
          organizations,
          plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }, { use: 'failover' }],
        }),
      ),
    );
    gateway = await startGateway(await loadConfig(file, builtIns, process.env), {
      log,
      clock: { ...systemClock, now: () => systemClock.now() + offset },
    });
    client = createAsk(gateway.data);
  });
  after(async () => {
    client?.end();
    await gateway?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('clock jumps leave running streams, durations and limits intact', async () => {
    for (const jump of [HOUR, -HOUR, HOUR, 0]) {
      const streamed = client.ask({
        stream: true,
        messages: [{ role: 'user', content: 'Hi [[simulator pace=20 words=10]]' }],
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      offset = jump;
      expect((await streamed).text).to.match(/data: \[DONE\]\n\n$/);
    }
    offset = HOUR;
    expect((await client.ask()).status).to.equal(429);
    offset = -HOUR;
    expect((await client.ask()).status).to.equal(429);

    const lines = log.lines.filter(({ text }) => text === 'exchange').map(({ fields }) => fields);
    expect(lines).to.have.length(6);
    const durations = lines.flatMap((fields) =>
      Object.entries(fields)
        .filter(([name]) => name.startsWith('ms'))
        .map(([, value]) => Number(value)),
    );
    expect(durations.length).to.be.above(6);
    expect(durations.filter((ms) => !(ms >= 0 && ms < 60_000))).to.deep.equal([]);
    expect(log.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
