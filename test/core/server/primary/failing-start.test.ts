import { expect } from 'chai';
import dns from 'node:dns';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadConfig } from '../../../../core/config/load.ts';
import { startPrimary } from '../../../../core/gateway.ts';
import { findFreePort } from '../../../../core/server/primary/free-port.ts';
import { systemClock } from '../../../../core/services/clock.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import { builtIns } from '../../../support/gateway.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const HOST = 'gateway.test';

describe('a start of several workers that fails', () => {
  const folder = createTemporaryFolder();
  const occupied = createServer();
  const { lookup } = dns;
  /** Set while the name of the host is looked up. */
  let resolveHost: (() => void) | undefined;
  const lookedUp = Promise.withResolvers<void>();
  before(async () => {
    await once(occupied.listen(0, '127.0.0.1'), 'listening');
    dns.lookup = Object.assign(
      (host: string, ...rest: readonly unknown[]): void => {
        if (host !== HOST) return void Reflect.apply(lookup, dns, [host, ...rest]);
        resolveHost = () => Reflect.apply(lookup, dns, ['127.0.0.1', ...rest]);
        lookedUp.resolve();
      },
      { __promisify__: lookup.__promisify__ },
    ) as typeof lookup;
  });
  after(() => {
    dns.lookup = lookup;
    occupied.close();
    folder.remove();
  });

  it('answers a reload that waits for the workers', async () => {
    const file = join(folder.path, 'gateway.yaml');
    const adminPort = await findFreePort({ host: '127.0.0.1', port: 0 });
    const write = (words: number): void =>
      writeFileSync(
        file,
        stringify({
          server: { host: HOST, port: (occupied.address() as AddressInfo).port, workers: 2 },
          admin: { port: adminPort },
          store: { database: 'sqlite:./koine.db' },
          providers: { simulator: { use: 'simulator', config: { words } } },
          models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
          plugins: [{ use: 'auth' }],
        }),
      );
    write(1);
    const reloading = Promise.withResolvers<void>();
    const read = () => loadConfig(file, builtIns, {});
    const load = async () => {
      const loaded = await read();
      setImmediate(reloading.resolve);
      return loaded;
    };
    // No thread starts: the port is found to be in use before.
    const program = new URL('none.ts', import.meta.url);
    const start = startPrimary(await read(), { log: createTestLog(), clock: systemClock, load, program });
    const failure = start.then(
      () => 'started',
      (error: unknown) => String(error),
    );
    await lookedUp.promise;
    write(2);
    const reload = fetch(`http://127.0.0.1:${adminPort}/admin/reload`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    await reloading.promise;
    resolveHost?.();
    const response = await reload;
    expect([response.status, await response.text()].join(' ')).to.include('shutting down');
    expect(await failure).to.include('cannot be bound');
  });
});
