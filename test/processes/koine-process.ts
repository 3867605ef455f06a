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
import { until } from '../support/until.ts';

const bin = fileURLToPath(new URL('../../bin/koine.js', import.meta.url));
export const tickets = fileURLToPath(new URL('../fixtures/extensions/tickets/index.ts', import.meta.url));

const environment = { PATH: process.env['PATH'] };

export type { LogLine };

/** `koine serve` in processes of its own. */
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
  /** Bytes of all workers, or of the single process. */
  memory(): number;
  /** The process ids of all workers that have served. */
  workers(): readonly number[];
  /** Resolves with the exit code: null after a signal. */
  readonly exit: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Ends all its processes, and removes its folder. */
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
/** The configuration of a gateway in these tests: these settings, and defaults for those left out. */
export const configOf = ({ server, ...settings }: Readonly<Record<string, unknown>>) => ({
  server: { port: 0, drain: { delay: '0s' }, ...(server as object) },
  admin: { port: 0 },
  store: { database: 'sqlite:./koine.db' },
  providers: { simulator: { use: 'simulator' } },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
  organizations,
  ...settings,
});

/** Runs the command with these settings and variables in a process group of its own, without waiting for its start. */
export const runKoine = (
  settings: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, string>> = {},
): KoineProcess => {
  const folder = mkdtempSync(join(tmpdir(), 'koine-process-'));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, stringify(configOf(settings)));
  const child = spawn(process.execPath, [bin, 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, ...variables },
    detached: true,
  });
  const lines = readLogLines(child.stdout);
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const pid = child.pid!;
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const workers = (): readonly number[] =>
    lines()
      .filter(({ message }) => message === 'a worker serves')
      .map((line) => Number(line['pid']));
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
    memory: () =>
      (workers().length === 0 ? [pid] : workers()).reduce(
        (sum, each) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1]) * 1_024,
        0,
      ),
    workers,
    exit,
    signal: (name) => void process.kill(pid, name),
    end: async () => {
      for (const process_ of [...workers(), pid]) if (isAlive(process_)) process.kill(process_, 'SIGKILL');
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
