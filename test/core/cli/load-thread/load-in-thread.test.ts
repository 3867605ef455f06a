import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { builtIns } from '../../../../core/built-ins.ts';
import { isLarge, loadInThread } from '../../../../core/cli/load-thread/load-in-thread.ts';
import { loadConfig, type LoadedConfig } from '../../../../core/config/load.ts';
import { ConfigError } from '../../../../core/config/problem.ts';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const range = (count: number): readonly number[] => [...Array(count).keys()];

describe('a configuration that is loaded in a thread', () => {
  const folder = createTemporaryFolder();
  const file = join(folder.path, 'gateway.yaml');
  let live: LoadedConfig;
  after(folder.remove);

  /** 1,200 keys in 12 projects. */
  const write = (changes: object = {}, projects = 12): void =>
    writeFileSync(
      file,
      stringify({
        providers: { simulator: { use: 'simulator' } },
        models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
        organizations: {
          acme: {
            projects: Object.fromEntries(
              range(projects).map((project) => [
                `project-${project}`,
                {
                  keys: Object.fromEntries(
                    range(100).map((key) => [`key-${key}`, { sha256: hash('sha256', `${project} ${key}`) }]),
                  ),
                },
              ]),
            ),
          },
        },
        plugins: [{ use: 'auth' }],
        ...changes,
      }),
    );
  const load = (): Promise<LoadedConfig> => loadInThread(file, builtIns, live);
  const fail = (): Promise<unknown> => load().catch((error: unknown) => error);

  before(async () => {
    write();
    live = await loadConfig(file, builtIns, process.env);
  });

  it('is the same as one that is loaded here, and what has not changed is not held twice', async () => {
    write({ aliases: { fast: 'simulator/chat' } });
    const loaded = await load();
    const here = await loadConfig(file, builtIns, process.env);
    for (const name of [
      'hash',
      'digest',
      'files',
      'config',
      'certificates',
      'interpolatedOptions',
      'warnings',
    ] as const)
      expect(loaded[name], name).to.deep.equal(here[name]);
    expect(loaded.extensions.plugins).to.deep.equal(here.extensions.plugins);
    expect(loaded.config.organizations).to.equal(live.config.organizations);
    expect(loaded.config.aliases).to.deep.equal({ fast: 'simulator/chat' });
  });

  it('reports the problems of the file at their lines, as they are here', async () => {
    write({ aliases: { fast: 'simulator/chap' } });
    const thrown = await fail();
    const here: unknown = await loadConfig(file, builtIns, process.env).catch((error: unknown) => error);
    if (!(thrown instanceof ConfigError) || !(here instanceof ConfigError)) throw new Error('it was loaded');
    expect(thrown.problems).to.deep.equal(here.problems);
    expect(thrown.problems.map(({ rule }) => rule)).to.deep.equal(['unknown-model']);
    expect(thrown.message).to.equal(here.message);
  });

  it('reports a file that cannot be read', async () => {
    folder.remove();
    const thrown = await fail();
    expect(GatewayError.is(thrown) && thrown.code).to.equal('KOINE_CONFIG_UNREADABLE');
  });

  it('is used for files that take long to load', async () => {
    const other = createTemporaryFolder();
    const files = [join(other.path, 'one.yaml'), join(other.path, 'other.yaml'), join(other.path, 'missing.yaml')];
    writeFileSync(files[0]!, ' '.repeat(40_000));
    expect(await isLarge({ files })).to.equal(false);
    writeFileSync(files[1]!, ' '.repeat(40_000));
    expect(await isLarge({ files })).to.equal(true);
    other.remove();
  });
});
