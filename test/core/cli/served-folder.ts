import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadConfig } from '../../../core/config/load.ts';
import { startGateway, type Gateway } from '../../../core/gateway.ts';
import { systemClock } from '../../../core/services/clock.ts';
import { createTestLog } from '../../../core/testing/index.ts';
import { builtIns, KEY } from '../../support/gateway.ts';
import { runHere } from './run-here.ts';
import { runKoine, type Run } from './run-koine.ts';

/** A folder with a configuration and its database, for commands and a gateway. */
export interface ServedFolder {
  readonly path: string;
  /** Runs a command in this process. */
  run(...args: readonly string[]): Promise<Run>;
  /** Runs a command in a process of its own: one test of each command does. */
  runProgram(...args: readonly string[]): Promise<Run>;
  /** Writes another configuration. A running gateway is not reloaded. */
  change(more: object): void;
  /** Serves the configuration in this process. */
  serve(): Promise<Gateway>;
  /** The bytes of all files of the database. */
  readDatabase(): string;
  remove(): void;
}

const settings = {
  server: { port: 0 },
  admin: { port: 0 },
  store: { database: 'sqlite:./data/koine.db' },
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }], price: { input: 2, output: 8 } } },
  aliases: { fast: 'simulator/chat' },
  organizations: {
    acme: {
      limits: [{ cost: 500, per: 'month' }],
      projects: {
        web: {
          limits: [{ tokens: 1_000_000, per: '1m' }],
          keys: {
            alice: { key: KEY, limits: [{ requests: 60, per: '1m' }] },
            narrow: { key: 'narrow-0123456789', models: ['simulator/other*'] },
          },
        },
      },
    },
  },
  plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
};

export const createServedFolder = (more: object = {}): ServedFolder => {
  const path = mkdtempSync(join(tmpdir(), 'koine-'));
  const file = join(path, 'gateway.yaml');
  const write = (own: object): void => writeFileSync(file, stringify({ ...settings, ...own }));
  write(more);
  return {
    path,
    run: (...args) => runHere(args, { cwd: path }),
    runProgram: (...args) => runKoine(args, { cwd: path }),
    change: write,
    serve: async () =>
      startGateway(await loadConfig(file, builtIns, process.env), { log: createTestLog(), clock: systemClock }),
    readDatabase: () =>
      readdirSync(join(path, 'data'))
        .map((name) => readFileSync(join(path, 'data', name), 'latin1'))
        .join(''),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
};
