import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { parseMetrics, sumOf } from '../../support/parse-metrics.ts';
import { KEY } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { sceneModels } from '../../support/scene.ts';
import { readLogLines, type LogLine } from '../../support/log-lines.ts';
import { until } from '../../support/until.ts';
import { bin } from '../../support/servers/koine-program.ts';

/** `koine serve` in its own process, with all vendors on one upstream. */
export interface GatewayProcess {
  readonly pid: number;
  readonly url: string;
  readonly adminUrl: string;
  /** Standard output so far. */
  lines(): readonly LogLine[];
  exchanges(): readonly LogLine[];
  said(): string;
  /** Begins to read standard output, if that was deferred. */
  listen(): void;
  /** Bytes. */
  memory(): number;
  descriptors(): number;
  figure(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
  readonly exit: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Waits until nothing is open, and checks that the process is alive and has logged no warning. */
  check(exchanges: number): Promise<void>;
  end(): Promise<void>;
}

export interface ProcessOptions {
  readonly upstream: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The limit of open descriptors. */
  readonly descriptors?: number;
  readonly variables?: Readonly<Record<string, string>>;
  /** Its standard output is not read until the test starts it. */
  readonly deaf?: boolean;
}

const configOf = (upstream: string, { server, ...settings }: Readonly<Record<string, unknown>>) => ({
  server: { port: 0, drain: { delay: '0s' }, ...(server as object | undefined) },
  admin: { port: 0 },
  store: { database: 'sqlite:./koine.db' },
  providers: {
    simulator: { use: 'simulator' },
    openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${upstream}/v1` } },
    anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: upstream } },
    google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: upstream } },
  },
  models: sceneModels,
  organizations: { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } },
  plugins: [{ use: 'metrics' }, { use: 'auth' }],
  ...settings,
});

export const startGatewayProcess = async ({
  upstream,
  settings = {},
  descriptors,
  variables,
  deaf = false,
}: ProcessOptions): Promise<GatewayProcess> => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-hostile-'));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify(configOf(upstream, settings)));
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `;
  const env = { PATH: process.env['PATH'], ...variables };
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, bin, 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  let err = '';
  let lines = (): readonly LogLine[] => [];
  const listen = (): void => void (lines = readLogLines(child.stdout));
  if (!deaf) listen();
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const pid = child.pid!;
  let isOver = false;
  const exit = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      isOver = true;
      resolve(code);
    }),
  );
  await until('the gateway serves', () => isOver || / \(admin /.test(err));
  if (isOver) throw new Error(`it did not start: ${err}`);
  const [, url = '', adminUrl = ''] = /on (http\S+) \(admin (http[^)]+)\)/.exec(err) ?? [];
  const exchanges = (): readonly LogLine[] => lines().filter(({ message }) => message === 'exchange');
  const figure: GatewayProcess['figure'] = async (name, labels = {}) => {
    const { text } = await send(adminUrl, { method: 'GET', path: '/metrics', headers: {} });
    return sumOf(parseMetrics(text), name, labels);
  };
  return {
    pid,
    url,
    adminUrl,
    lines: () => lines(),
    exchanges,
    said: () => err,
    listen,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024,
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    figure,
    exit,
    signal: (name) => void child.kill(name),
    check: async (count) => {
      await until(`${count} exchanges are settled, and not ${exchanges().length}`, () => exchanges().length >= count);
      if (isOver) throw new Error(`the process is gone: ${err}`);
      if (exchanges().length !== count) throw new Error(`${exchanges().length} lines instead of ${count}`);
      if (/warning/i.test(err)) throw new Error(err);
      const open = await figure('koine_requests_in_flight');
      if (open !== 0) throw new Error(`${open} exchanges are still open`);
    },
    end: async () => {
      if (!isOver) child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
