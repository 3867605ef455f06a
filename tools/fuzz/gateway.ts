import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { bin } from '../../test/support/servers/koine-program.ts';
import type { FuzzedProcess, ReportFinding } from './play.ts';

/** A report of the probe in the gateway: milliseconds of a blocked event loop, or bytes of memory. */
export interface ProbeLine {
  readonly blocked?: number;
  readonly heapUsed?: number;
  readonly rss?: number;
}

/** `koine serve` in its own process, with a heap of 512 MB and the probe. */
export interface FuzzGateway extends FuzzedProcess {
  readonly url: string;
  readonly adminUrl: string;
  stop(): Promise<void>;
}

export interface FuzzGatewayOptions {
  readonly settings: object;
  /** An error of the log, a line of standard error after the start, and a blocked event loop are findings. */
  readonly report: ReportFinding;
  /** They must not be in the log. */
  readonly secrets?: readonly string[];
  /** Sends what loads code with its first request. How long that blocks the event loop is not reported. */
  readonly warmUp?: (gateway: FuzzGateway) => Promise<unknown>;
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
const START_MS = 60_000;
/** Until the probe has reported what blocked the event loop. */
const WARM_MS = 300;

const spawnGateway = (configFile: string): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(
    process.execPath,
    ['--max-old-space-size=512', '--expose-gc', '--import', here('./probe.js'), bin, 'serve', '--config', configFile],
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
  #urls: readonly string[] = [];
  #startup = '';
  #isWarm = false;
  #exited = false;

  constructor(options: FuzzGatewayOptions) {
    this.#options = options;
    const file = join(this.#folder, 'gateway.yaml');
    writeFileSync(file, JSON.stringify(options.settings));
    this.#child = spawnGateway(file);
    this.#exit = once(this.#child, 'exit').then(() => (this.#exited = true));
    eachLine(this.#child.stdout, (line) => this.#readLog(line));
    eachLine(this.#child.stderr, (line) => this.#readStderr(line));
    // The gateway ends with this process.
    process.once('exit', this.#kill);
  }

  get url(): string {
    return this.#urls[0] ?? '';
  }

  get adminUrl(): string {
    return this.#urls[1] ?? '';
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
    while (this.url === '') {
      if (this.#exited || performance.now() > deadline) {
        await this.stop();
        throw new Error(`the gateway did not start: ${this.#startup}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async warmUp(): Promise<void> {
    if (this.#options.warmUp !== undefined) {
      await this.#options.warmUp(this);
      await new Promise((resolve) => setTimeout(resolve, WARM_MS));
    }
    this.#isWarm = true;
  }

  #readLog(text: string): void {
    const { level, message, error, ...fields } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (message === 'exchange' ? fields['code'] === 'internal_error' : level === 'error')
      this.#options.report(`logged: ${String(message)} ${JSON.stringify(error ?? fields).slice(0, 500)}`);
    const secret = this.#options.secrets?.find((each) => text.includes(each));
    if (secret !== undefined) this.#options.report(`a secret in the log: ${text.slice(0, 500)}`);
  }

  #readStderr(line: string): void {
    if (line.startsWith('probe ')) this.#readProbe(JSON.parse(line.slice(6)) as ProbeLine);
    else if (this.url === '') this.#readStartup(line);
    else if (!line.startsWith('The dashboard is at ')) this.#options.report(`standard error: ${line.slice(0, 500)}`);
  }

  #readProbe({ blocked, heapUsed }: ProbeLine): void {
    if (blocked !== undefined && this.#isWarm) this.#options.report(`the event loop was blocked for ${blocked} ms`);
    if (heapUsed !== undefined) this.#waiting.shift()?.(heapUsed);
  }

  #readStartup(line: string): void {
    this.#startup += `${line}\n`;
    this.#urls = / on (http\S+) \(admin (http[^\s)]+)/.exec(line)?.slice(1) ?? [];
  }
}

/** @throws Error if the gateway does not start in time */
export async function startFuzzGateway(options: FuzzGatewayOptions): Promise<FuzzGateway> {
  const gateway = new GatewayProcess(options);
  await gateway.waitForUrl();
  await gateway.warmUp();
  return gateway;
}
