import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { settingsAt } from '../matrix/catalog.ts';
import { configOf, type LogLine } from '../processes/koine-process.ts';
import { KEY } from '../support/gateway.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import type { CallCounter } from './calls-made.ts';

/** A gateway in a process of its own, in which nothing ran before its calls are counted. */
export interface CountedGateway extends CallCounter {
  readonly url: string;
  /** All vendors of the gateway. */
  readonly upstream: TestUpstream;
}

/** What count-preload.ts sends. */
interface FromGateway {
  readonly run?: number;
  readonly found?: readonly string[];
  readonly error?: string;
}

const bin = fileURLToPath(new URL('../../bin/koine.js', import.meta.url));
const preload = new URL('./count-preload.ts', import.meta.url).href;
const organizations = { acme: { projects: { web: { keys: { alice: { key: KEY, vendorState: 'allow' } } } } } };

export const startCountedGateway = async (): Promise<CountedGateway> => {
  const upstream = await startUpstream();
  const folder = createTemporaryFolder();
  const file = join(folder.path, 'gateway.yaml');
  const server = { overload: { lag: '1m' }, watch: false };
  const settings = { ...settingsAt(upstream.url), server, organizations, plugins: [{ use: 'auth' }] };
  writeFileSync(file, stringify(configOf(settings)));
  const child = spawn(process.execPath, ['--import', preload, bin, 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Functions from the cache of compiled code have no counters.
    env: { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  let [out, err] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const exit = once(child, 'exit');
  const readUrl = (): string => /serves .* on (http:\S+)/.exec(err)?.[1] ?? '';
  await until('the gateway serves', () => readUrl() !== '' || child.exitCode !== null);
  if (readUrl() === '') throw new Error(`it did not start: ${err}`);

  const receive = (): Promise<FromGateway> =>
    new Promise((resolve) => child.once('message', (message) => resolve(message as FromGateway)));
  return {
    url: readUrl(),
    upstream,
    findSuperlinear: async (work) => {
      child.send('find what is superlinear');
      for (;;) {
        const { run, found, error } = await receive();
        if (found !== undefined) return found;
        if (run === undefined) throw new Error(error);
        await work(run);
        child.send('the run is over');
      }
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
      await upstream.stop();
      folder.remove();
      const lines = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LogLine);
      const errors = lines.filter(({ level, message }) => level === 'error' && message !== 'exchange');
      expect(errors).to.deep.equal([]);
    },
  };
};
