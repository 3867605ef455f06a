import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Starts a process and waits for the line that tells its address. `log`: a file for what it writes on standard output, so that nobody here has to read it. */
const start = async (file: string, args: readonly string[], readUrl: (line: string) => string | undefined, log?: string): Promise<Running> => {
  const output = log === undefined ? 'pipe' : openSync(log, 'w');
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], { stdio: ['ignore', output, 'pipe'] });
  children.add(child);
  const input = child.stdout ?? child.stderr;
  if (input === null) throw new Error(`${file} has no output`);
  for await (const line of createInterface({ input })) {
    const url = readUrl(line);
    if (url === undefined) continue;
    input.resume();
    return {
      url,
      stop: async () => {
        children.delete(child);
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    };
  }
  throw new Error(`${file} ended before it was ready`);
};

const byPort = (line: string): string => `http://127.0.0.1:${line}`;
export const startUpstream = (): Promise<Running> => start('./upstream.ts', [], byPort);
export const startBare = (upstream: string): Promise<Running> => start('./bare.ts', [upstream], byPort);

export const KEY = 'bench-key-0123456789abcdef';

/** Limits that nobody reaches, of every unit and in all three scopes: what counts is what counting costs. */
const limited = {
  plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'rate-limit' }],
  limits: [{ requests: 1e9, per: '1m' }, { tokens: 1e12, per: '1m' }],
  organizations: {
    bench: {
      limits: [{ cost: 1e6, per: 'month' }, { concurrent: 1e6 }],
      projects: { bench: { limits: [{ tokens: 1e12, per: '1h' }], keys: { bench: { key: KEY } } } },
    },
  },
};
const ungoverned = { plugins: [{ use: 'auth' }], organizations: { bench: { projects: { bench: { keys: { bench: { key: KEY } } } } } } };
const byRules = { ungoverned, limited, governed: { ...limited, plugins: [...limited.plugins, { use: 'ledger' }] } };

/** What a gateway of the benchmark has beside keys: nothing, limits in three scopes and metrics, or these and the ledger. */
export type Rules = 'ungoverned' | 'limited' | 'governed';

/** The whole command, its access log written to a file. */
export const startGateway = async (upstream: string, rules: Rules): Promise<Running> => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-bench-'));
  const file = join(folder, 'gateway.yaml');
  const config = {
    server: { port: 0 },
    admin: { port: 0 },
    store: { database: 'sqlite:./bench.db' },
    providers: { openai: { use: 'openai', config: { apiKey: 'key', baseUrl: `${upstream}/v1` } } },
    models: { 'openai/bench': { targets: [{ provider: 'openai', model: 'bench' }], price: { input: 1, output: 2 } } },
    ...byRules[rules],
  };
  writeFileSync(file, JSON.stringify(config));
  const running = await start('../bin/koine.js', ['serve', '--config', file], (line) => /serves .* on (http:\S+)/.exec(line)?.[1], join(folder, 'access.log'));
  return {
    url: running.url,
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
