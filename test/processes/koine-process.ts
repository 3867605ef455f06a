import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { goodHeaders } from '../support/http.ts';
import { KEY } from '../support/gateway.ts';
import { readLogLines, type LogLine } from '../support/log-lines.ts';
import { killThread, mortalThreads, resumeThread, stopThread } from '../support/threads/end-threads.ts';
import { until } from '../support/until.ts';
import { bin } from '../support/servers/koine-program.ts';

export const tickets = fileURLToPath(new URL('../fixtures/extensions/tickets/index.ts', import.meta.url));

const environment = { PATH: process.env['PATH'] };

export type { LogLine };

/** `koine serve` in a process of its own. */
export interface KoineProcess {
  readonly pid: number;
  /** Its configuration file. */
  readonly file: string;
  readonly url: string;
  readonly adminUrl: string;
  /** Its standard error so far. */
  stderr(): string;
  /** The lines of standard output. A line that is not whole is an error. */
  lines(): readonly LogLine[];
  /** Stops or resumes reading its standard output. */
  pauseReading(): void;
  resumeReading(): void;
  /** Bytes. */
  memory(): number;
  /** The numbers of all workers that have served. */
  workers(): readonly number[];
  /** Those that have not ended. */
  liveWorkers(): readonly number[];
  /** Ends a worker at once: nothing of it runs any more. */
  kill(worker: number): void;
  /** Blocks a worker until it is resumed or killed. Resolves when it is blocked. */
  stop(worker: number): Promise<void>;
  resume(worker: number): void;
  /** Resolves with the exit code: null after a signal. */
  readonly exit: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Kills it, and removes its folder. */
  end(): Promise<void>;
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const organizations = { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } };
/**
 * The configuration of a gateway in these tests: these settings, and defaults for those left out. On a busy machine its
 * event loop is late, and that says nothing.
 */
export const configOf = ({ server, ...settings }: Readonly<Record<string, unknown>>) => ({
  server: { port: 0, drain: { delay: '0s' }, overload: { lag: '1m' }, ...(server as object) },
  admin: { port: 0 },
  store: { database: 'sqlite:./koine.db' },
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
  organizations,
  ...settings,
});

/** Runs the command with these settings and variables in a process of its own, without waiting for its start. */
export const runKoine = (
  settings: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>> = {},
): KoineProcess => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-process-'));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify(configOf(settings)));
  const child = spawn(process.execPath, [bin, 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      ...variables,
      ...mortalThreads(folder, variables['NODE_OPTIONS']),
    },
    detached: true,
  });
  const lines = readLogLines(child.stdout);
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const pid = child.pid!;
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const workersOf = (text: string): readonly number[] =>
    lines()
      .filter(({ message }) => message === text)
      .map(({ worker }) => Number(worker));
  const workers = (): readonly number[] => workersOf('a worker serves');
  return {
    pid,
    file,
    get url() {
      return /on (https?:\S+)/.exec(err)?.[1] ?? '';
    },
    get adminUrl() {
      return /admin (https?:[^)\s]+)/.exec(err)?.[1] ?? '';
    },
    stderr: () => err,
    lines,
    pauseReading: () => void child.stdout.pause(),
    resumeReading: () => void child.stdout.resume(),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024,
    workers,
    liveWorkers: () => workers().filter((worker) => !workersOf('a worker exited and is replaced').includes(worker)),
    kill: (worker) => killThread(child, folder, worker),
    stop: (worker) => stopThread(child, folder, worker),
    resume: (worker) => resumeThread(folder, worker),
    exit,
    // Not by its number, which another process can have once it has ended.
    signal: (name) => void child.kill(name),
    end: async () => {
      child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Runs the command, and resolves when it serves. */
export const startKoine = async (
  settings: Readonly<Record<string, unknown>> & {
    readonly server: { readonly workers: number } & Readonly<Record<string, unknown>>;
  },
  variables: Readonly<Record<string, string>> = {},
): Promise<KoineProcess> => {
  const koine = runKoine(settings, variables);
  let isOver = false;
  void koine.exit.then(() => (isOver = true));
  const serves = (): boolean =>
    koine.url !== '' && koine.workers().length === (settings.server.workers === 1 ? 0 : settings.server.workers);
  await until('the gateway serves', () => isOver || serves()).catch(() => {});
  if (!isOver && serves()) return koine;
  await koine.end();
  throw new Error(`it did not start: ${koine.stderr()}`);
};

/** A stream that has begun. */
export interface OpenStream {
  readonly headers: IncomingHttpHeaders;
  /** The whole text; undefined where the connection broke. */
  readonly ended: Promise<string | undefined>;
}

export const openStream = (url: string, directive: string): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const request = requestHttp(
      `${url}/v1/chat/completions`,
      { method: 'POST', headers: goodHeaders, agent: false },
      (response) => {
        let text = '';
        const ended = new Promise<string | undefined>((done) =>
          response.once('end', () => done(text)).once('error', () => done(undefined)),
        );
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          resolve({ headers: response.headers, ended });
        });
      },
    );
    request.once('error', reject).end(
      JSON.stringify({
        model: 'simulator/chat',
        stream: true,
        messages: [{ role: 'user', content: `Hi [[simulator ${directive}]]` }],
      }),
    );
  });
