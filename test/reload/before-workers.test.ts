import { expect } from 'chai';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../core/server/primary/free-port.ts';
import { json } from '../support/admin.ts';
import { send } from '../support/http.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { runKoine } from '../processes/koine-process.ts';
import { createAsk, generationIn, generationOf, pause, writeGeneration } from './generations.ts';

describe('a reload before the workers exist', () => {
  it('a reload waits for the workers when the admin API serves before them', async () => {
    const folder = createTemporaryFolder();
    const hold = join(folder.path, 'hold');
    writeFileSync(hold, '');
    const adminPort = await findFreePort({ host: '127.0.0.1', port: 0 });
    // The main thread looks up `localhost` after the admin API serves, and before it forks the workers.
    const settings = { server: { workers: 2, host: 'localhost' }, admin: { port: adminPort } };
    const koine = runKoine(generationOf('A', settings), {
      NODE_OPTIONS: `--import=${new URL('held-lookup.ts', import.meta.url).href}`,
      HOLD: hold,
    });
    try {
      const admin = `http://127.0.0.1:${adminPort}`;
      const read = (path: string) => send(admin, { method: 'GET', path, headers: {} });
      await until('the admin API serves', () =>
        read('/admin/config').then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      writeFileSync(koine.file, writeGeneration('B', settings));
      let reply: string | undefined;
      const reload = send(admin, { path: '/admin/reload', headers: json, body: '{}' }).then(
        ({ text }) => (reply = text),
      );
      await pause(500);
      expect(reply).to.equal(undefined);
      expect(koine.workers()).to.deep.equal([]);

      rmSync(hold);
      expect(JSON.parse(await reload)).to.include({ result: 'reloaded' });
      await until('the gateway serves', () => koine.url !== '');
      const client = createAsk(koine);
      expect(generationIn(await client.ask())).to.equal('B');
      client.end();
    } finally {
      await koine.end();
      folder.remove();
    }
  });
});
