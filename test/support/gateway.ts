import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { builtIns } from '../../core/built-ins.ts';
import type { BuiltIns } from '../../core/extensions/extension.ts';
import { createProposals } from '../../core/config/proposals.ts';
import { loadConfig } from '../../core/config/load.ts';
import { startGateway, type Gateway } from '../../core/gateway.ts';
import { systemClock } from '../../core/services/clock.ts';
import { createTestLog, type LogLine } from '../../core/testing/index.ts';
import { until } from './until.ts';

export { builtIns };

export interface TestGateway {
  readonly url: string;
  readonly gateway: Gateway;
  readonly lines: readonly LogLine[];
  /** The access-log lines so far. */
  exchanges(): readonly Readonly<Record<string, unknown>>[];
  /** Resolves when so many exchanges have been settled. */
  settled(count: number): Promise<void>;
  stop(): Promise<void>;
}

export const KEY = 'test-key-0123456789abcdef';

/** The organization that every test configuration gets: one key that may use everything. */
const organizations = { acme: { projects: { web: { keys: { alice: { key: KEY, vendorState: 'allow' } } } } } };

/** A gateway in this process, on free ports, with a database of its own. */
export const startTestGateway = async (
  settings: Readonly<Record<string, unknown>>,
  extensions: BuiltIns = builtIns,
  clock = systemClock,
): Promise<TestGateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'koine-'));
  const file = join(folder, 'gateway.yaml');
  const { server, ...rest } = settings;
  // Clients, upstreams and gateway share one event loop here: that it is late says nothing.
  const config = {
    server: { port: 0, overload: { lag: '1m' }, readOn: { time: '200ms' }, ...(server as object | undefined) },
    admin: { port: 0 },
    store: { database: 'sqlite:./koine.db' },
    organizations,
    plugins: [{ use: 'auth' }],
    ...rest,
  };
  await writeFile(file, stringify(config));
  // Kept as they come: a test can have thousands, and asks for them as often.
  const exchanges: LogLine['fields'][] = [];
  const log = createTestLog(({ text, fields }) => {
    if (text === 'exchange') exchanges.push(fields);
  });
  const load = () => loadConfig(file, extensions, process.env);
  const gateway = await startGateway(await load(), {
    log,
    clock,
    load,
    proposals: createProposals(file, extensions, process.env),
  });
  return {
    url: gateway.data.url,
    gateway,
    lines: log.lines,
    exchanges: () => [...exchanges],
    settled: (count) => until(`the end of ${count} exchanges`, () => exchanges.length >= count, 5),
    stop: async () => {
      gateway.cut();
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
