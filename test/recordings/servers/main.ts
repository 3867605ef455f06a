import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtIns } from '../../../core/built-ins.ts';
import { record } from '../../../core/cli/record.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { aimock } from './aimock.ts';
import { litellm } from './litellm.ts';
import { llamaCpp } from './llama-cpp.ts';
import type { IndependentServer, Recorded } from './server.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/recordings/', import.meta.url));
const servers = [aimock, litellm, llamaCpp];

const configOf = ({ provider, url }: Recorded): object => ({
  providers: {
    [provider]: { use: provider, config: { apiKey: 'key', baseUrl: provider === 'openai' ? `${url}/v1` : url } },
  },
  models: {},
});

async function recordServer({ folder, name, start }: IndependentServer): Promise<void> {
  const own = createTemporaryFolder();
  const server = await start();
  const out = join(fixtures, folder);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  try {
    for (const recorded of server.recorded) {
      const config = join(own.path, 'gateway.yaml');
      writeFileSync(config, JSON.stringify(configOf(recorded)));
      const { provider, model, cases, repeatable } = recorded;
      await record({ config, out, provider, model, cases, repeatable, server: name }, builtIns);
    }
  } finally {
    server.stop();
    own.remove();
  }
}

const names = process.argv.slice(2);
for (const server of servers) if (names.length === 0 || names.includes(server.folder)) await recordServer(server);
