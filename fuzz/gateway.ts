import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A report of the probe in the gateway: milliseconds of a blocked event loop, or bytes of memory. */
export interface ProbeLine {
  readonly blocked?: number;
  readonly heapUsed?: number;
  readonly rss?: number;
}

/** `koine serve` in its own process, with a heap of 512 MB and the probe. */
export interface FuzzGateway {
  readonly url: string;
  readonly exited: boolean;
  /** Returns the bytes of the heap after a collection. */
  heap(): Promise<number>;
  stop(): Promise<void>;
}

export interface FuzzGatewayOptions {
  readonly settings: object;
  /** Called for each log line, parsed. */
  readonly onLog: (line: Readonly<Record<string, unknown>>) => void;
  /** Called for each line of standard error, without those of the startup and the probe. */
  readonly onStderr: (line: string) => void;
  readonly onBlocked: (milliseconds: number) => void;
}

/** Lines end only at a line feed. `readline` would also end them at U+2028, which JSON can hold. */
const eachLine = (stream: Readable, take: (line: string) => void): void => {
  let incomplete = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (incomplete + text).split('\n');
    incomplete = lines.pop() ?? '';
    lines.forEach(take);
  });
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const START_MS = 30_000;

const spawnGateway = (configFile: string): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(
    process.execPath,
    [
      '--max-old-space-size=512',
      '--expose-gc',
      '--import',
      here('./probe.ts'),
      here('../bin/koine.js'),
      'serve',
      '--config',
      configFile,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );

class GatewayProcess implements FuzzGateway {
  readonly #folder = mkdtempSync(join(tmpdir(), 'koine-fuzz-'));
  readonly #options: FuzzGatewayOptions;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exit: Promise<unknown>;
  /** Callers of `heap` that wait for the probe. */
  readonly #waiting: ((heap: number) => void)[] = [];
  readonly #kill = (): void => void this.#child.kill('SIGKILL');
  #url = '';
  #startup = '';
  #exited = false;

  constructor(options: FuzzGatewayOptions) {
    this.#options = options;
    const file = join(this.#folder, 'gateway.yaml');
    writeFileSync(file, JSON.stringify(options.settings));
    this.#child = spawnGateway(file);
    this.#exit = once(this.#child, 'exit').then(() => (this.#exited = true));
    eachLine(this.#child.stdout, (line) => options.onLog(JSON.parse(line) as Readonly<Record<string, unknown>>));
    eachLine(this.#child.stderr, (line) => this.#readStderr(line));
    // The gateway ends with this process.
    process.once('exit', this.#kill);
  }

  get url(): string {
    return this.#url;
  }

  get exited(): boolean {
    return this.#exited;
  }

  heap(): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#child.kill('SIGUSR2');
    });
  }

  async stop(): Promise<void> {
    process.off('exit', this.#kill);
    if (!this.#exited) this.#kill();
    await this.#exit;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async waitForUrl(): Promise<void> {
    const deadline = performance.now() + START_MS;
    while (this.#url === '') {
      if (this.#exited || performance.now() > deadline) {
        await this.stop();
        throw new Error(`the gateway did not start: ${this.#startup}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #readStderr(line: string): void {
    if (line.startsWith('probe ')) this.#readProbe(JSON.parse(line.slice(6)) as ProbeLine);
    else if (this.#url === '') this.#readStartup(line);
    else this.#options.onStderr(line);
  }

  #readProbe({ blocked, heapUsed }: ProbeLine): void {
    if (blocked !== undefined && this.#url !== '') this.#options.onBlocked(blocked);
    if (heapUsed !== undefined) this.#waiting.shift()?.(heapUsed);
  }

  #readStartup(line: string): void {
    this.#startup += `${line}\n`;
    this.#url = / on (http\S+) \(admin /.exec(line)?.[1] ?? '';
  }
}

/** @throws Error if the gateway does not start in time */
export async function startFuzzGateway(options: FuzzGatewayOptions): Promise<FuzzGateway> {
  const gateway = new GatewayProcess(options);
  await gateway.waitForUrl();
  return gateway;
}
