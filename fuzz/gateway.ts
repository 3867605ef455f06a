import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** What the probe in the gateway reports: milliseconds of a blocked event loop, or bytes of memory. */
export interface ProbeLine {
  readonly blocked?: number;
  readonly heapUsed?: number;
  readonly rss?: number;
}

/** `koine serve` in a process of its own with a heap of 512 MB and a probe in it. */
export interface FuzzedGateway {
  readonly url: string;
  readonly exited: boolean;
  /** Bytes of the heap after a collection. */
  heap(): Promise<number>;
  stop(): Promise<void>;
}

export interface FuzzedGatewayParts {
  readonly settings: object;
  /** A line of its log, parsed. */
  readonly logged: (line: Readonly<Record<string, unknown>>) => void;
  /** A line of standard error that is neither the start's nor the probe's. */
  readonly said: (line: string) => void;
  readonly blocked: (milliseconds: number) => void;
}

/** Lines end in a line feed alone: readline would also end them at U+2028, which JSON may hold. */
const eachLine = (stream: Readable, take: (line: string) => void): void => {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const START_MS = 30_000;

export async function startFuzzedGateway({
  settings,
  logged,
  said,
  blocked,
}: FuzzedGatewayParts): Promise<FuzzedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'koine-fuzz-'));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, JSON.stringify(settings));
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=512',
      '--expose-gc',
      '--import',
      here('./probe.ts'),
      here('../bin/koine.js'),
      'serve',
      '--config',
      file,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exit = once(child, 'exit');
  const state = { url: '', start: '', exited: false };
  const waiting: ((heap: number) => void)[] = [];
  void exit.then(() => (state.exited = true));
  const probe = ({ blocked: milliseconds, heapUsed }: ProbeLine): void => {
    if (milliseconds !== undefined && state.url !== '') blocked(milliseconds);
    if (heapUsed !== undefined) waiting.shift()?.(heapUsed);
  };
  eachLine(child.stdout, (line) => logged(JSON.parse(line) as Readonly<Record<string, unknown>>));
  eachLine(child.stderr, (line) => {
    if (line.startsWith('probe ')) probe(JSON.parse(line.slice(6)) as ProbeLine);
    else if (state.url === '') {
      state.start += `${line}\n`;
      state.url = / on (http\S+) \(admin /.exec(line)?.[1] ?? '';
    } else said(line);
  });
  // It ends with the run, however that ends.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    if (!state.exited) kill();
    await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + START_MS;
  while (state.url === '') {
    if (state.exited || performance.now() > deadline) {
      await stop();
      throw new Error(`the gateway did not start: ${state.start}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: state.url,
    get exited() {
      return state.exited;
    },
    heap: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.kill('SIGUSR2');
      }),
    stop,
  };
}
