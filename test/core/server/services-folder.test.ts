import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { loadConfig } from '../../../core/config/load.ts';
import type { PluginDefinition } from '../../../core/contracts/plugin.ts';
import { startGateway } from '../../../core/gateway.ts';
import { systemClock } from '../../../core/services/clock.ts';
import { createTestLog } from '../../../core/testing/index.ts';
import { builtIns } from '../../support/gateway.ts';
import { configOf } from '../../processes/koine-process.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

describe('services.folder', () => {
  it('services.folder is the folder of gateway.yaml, whatever the working directory is', async () => {
    const folder = createTemporaryFolder();
    const folders: string[] = [];
    const note = (path: string): object => {
      folders.push(path);
      return {};
    };
    const reader: PluginDefinition = {
      kind: 'plugin',
      apiVersion: 1,
      name: 'reader',
      schema: { type: 'object' },
      create: (_options, services) => note(services.folder),
      primary: (_options, services) => note(services.folder),
    };
    await writeFile(join(folder.path, 'gateway.yaml'), stringify(configOf({ plugins: [{ use: 'reader' }] })));
    const load = () =>
      loadConfig(
        relative(process.cwd(), join(folder.path, 'gateway.yaml')),
        { ...builtIns, plugin: { ...builtIns.plugin, reader } },
        process.env,
      );
    const gateway = await startGateway(await load(), { log: createTestLog(), clock: systemClock, load });
    await gateway.stop();
    folder.remove();
    expect(folders).to.deep.equal([folder.path, folder.path]);
  });
});
