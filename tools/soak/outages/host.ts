import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readJson } from '../../../test/support/admin.ts';
import { send } from '../../../test/support/http.ts';
import { parseMetrics, sumOf } from '../../../test/support/parse-metrics.ts';
import { startSoakGateway, type SoakGateway } from '../gateway.ts';

/** What the metrics of a gateway have counted. */
export interface Counted {
  readonly requests: number;
  /** Millionths of a dollar: the prices of the soak are whole numbers of them. */
  readonly micros: number;
}

/** One gateway from its start to its end. */
export interface Life {
  readonly gateway: SoakGateway;
  end: 'serving' | 'killed' | 'stopped';
  /** The exit code of one that was stopped. */
  exitCode: number | null | undefined;
  /** By the last scrape that succeeded. */
  counted: Counted;
  /** A counter was lower than before. */
  hasFallen: boolean;
}

const RELOAD_MS = 180_000;
const START_TRIES = 5;

/** A host with one gateway after another. All of them have the same folder, with the spool of the ledger. */
export class Host {
  readonly lives: Life[] = [];
  readonly #settings: (spool: string) => object;
  readonly #folder = createTemporaryFolder();
  #spool = '4gb';

  /** @param settings of the gateway; `spool` is what reloads change */
  constructor(settings: (spool: string) => object) {
    this.#settings = settings;
  }

  /** The gateway that serves. */
  get life(): Life | undefined {
    const life = this.lives.at(-1);
    return life?.end === 'serving' ? life : undefined;
  }

  get folder(): string {
    return this.#folder.path;
  }

  async start(): Promise<void> {
    const gateway = await this.#tryStart(START_TRIES);
    const counted = { requests: 0, micros: 0 };
    this.lives.push({ gateway, end: 'serving', exitCode: undefined, counted, hasFallen: false });
  }

  /** Starts again what does not start, as a service manager does: on a busy machine, a start can take too long. */
  async #tryStart(tries: number): Promise<SoakGateway> {
    try {
      return await startSoakGateway(this.#settings(this.#spool), this.#folder.path);
    } catch (error) {
      if (tries <= 1) throw error;
      return this.#tryStart(tries - 1);
    }
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    const life = this.#serving();
    await life.gateway.kill();
    life.end = 'killed';
  }

  /** Ends one of its workers at once, and waits for the next one. */
  async killWorker(): Promise<void> {
    const life = this.#serving();
    const [victim] = await this.#servingWorkers();
    if (victim !== undefined) life.gateway.killWorker(victim);
    await this.#until('a worker takes its place', async () => {
      const now = await this.#servingWorkers();
      return now.length > 1 && !now.includes(victim ?? 0);
    });
  }

  /** SIGTERM: it ends when its requests have ended. */
  async stop(): Promise<void> {
    const life = this.#serving();
    life.end = 'stopped';
    life.exitCode = await life.gateway.stop();
  }

  /** Changes the configuration, and waits until it is active. */
  async reload(): Promise<void> {
    const { file } = this.#serving().gateway;
    const before = await this.#figure('koine_config_reloads_total');
    this.#spool = this.#spool === '4gb' ? '3gb' : '4gb';
    writeFileSync(file, JSON.stringify(this.#settings(this.#spool)));
    await this.#until('the reload', async () => (await this.#figure('koine_config_reloads_total')) > before);
  }

  /** Reads the metrics, as Prometheus does. A gateway that does not respond is left out. */
  async scrape(): Promise<void> {
    const { life } = this;
    if (life === undefined) return;
    try {
      const { text } = await send(life.gateway.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
      const families = parseMetrics(text);
      const counted = {
        requests: sumOf(families, 'koine_http_requests_total'),
        micros: Math.round(sumOf(families, 'koine_cost_total') * 1e6),
      };
      life.hasFallen ||= counted.requests < life.counted.requests || counted.micros < life.counted.micros;
      life.counted = counted;
    } catch {
      // It has ended meanwhile.
    }
  }

  /** The answer of an admin call. */
  async ask<T>(path: string): Promise<T> {
    return readJson<T>(await send(this.#serving().gateway.adminUrl, { method: 'GET', path, headers: {} }));
  }

  remove(): void {
    for (const { gateway } of this.lives) gateway.remove();
    rmSync(this.#folder.path, { recursive: true, force: true });
  }

  #serving(): Life {
    if (this.life === undefined) throw new Error('no gateway serves on this host');
    return this.life;
  }

  async #servingWorkers(): Promise<readonly number[]> {
    const { workers } = await this.ask<{ workers: readonly { worker: number; state: string }[] }>('/admin/workers');
    return workers.flatMap(({ worker, state }) => (state === 'serving' ? [worker] : []));
  }

  async #figure(name: string): Promise<number> {
    const { gateway } = this.#serving();
    const { text } = await send(gateway.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
    return sumOf(parseMetrics(text), name);
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const deadline = performance.now() + RELOAD_MS; !(await isSo()); await delay(100))
      if (performance.now() > deadline) throw new Error(`never came: ${what}`);
  }
}
