import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Metrics } from '../../contracts/services.ts';
import type { Clock } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { HandleRequest } from '../link/link.ts';
import type { PackedGeneration } from '../link/messages.ts';
import type { LogOutput } from '../../services/log/log.ts';
import { forkWorker, type ForkedWorker, type WorkerExit } from './forked-worker.ts';
import { createCrashLoopDetector } from './restarts.ts';
import { createWorkerMeters, type WorkerMeters } from './worker-meters.ts';
import { WorkerReload } from './worker-reload.ts';
import type { WorkerSlot } from './worker-slot.ts';

export interface WorkersOptions {
  /** One for each worker. */
  readonly slots: readonly WorkerSlot[];
  /** The port that all of them listen on. */
  readonly port: number;
  readonly first: PackedGeneration;
  /** Handles the requests of plugins to their primary instances. */
  readonly handle: HandleRequest;
  /** Called once for each worker that is gone, after its last message. */
  readonly onGone: (worker: number) => void;
  /** True once every worker has served, and as long as one does. */
  readonly onServing: (serving: boolean) => void;
  readonly log: LogOutput;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** How long a worker may take to exit once its connections are cut. */
const CUT_MS = 2_000;

const crashLoop = ({ code, signal, reason }: WorkerExit): GatewayError =>
  new GatewayError(
    'KOINE_WORKER_FAILED',
    'Worker processes exit again and again before they serve; ' +
      `the last one with ${signal ?? `exit code ${code}`}${reason === undefined ? '' : `: ${reason.message}`}`,
  );

/**
 * The worker processes. One that exits is replaced after a back-off. While another one serves, this is tried without
 * end: a gateway with fewer workers is better than none.
 */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #meters: WorkerMeters;
  readonly #isCrashLoop: () => boolean;
  readonly #reload = new WorkerReload();
  readonly #running = new Set<ForkedWorker>();
  readonly #serving = new Set<ForkedWorker>();
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  readonly #started = Promise.withResolvers<string>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #ended = Promise.withResolvers<void>();
  /** The generation that a new worker starts with. */
  #active: PackedGeneration;
  #hasStarted = false;
  #isStopping = false;
  #allExitedCleanly = true;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#meters = createWorkerMeters(options.metrics);
    this.#isCrashLoop = createCrashLoopDetector(options.clock);
    this.#active = options.first;
    this.#failed.promise.catch(() => {});
    for (const slot of options.slots) this.#fork(slot);
  }

  /** Where they serve, once all do. Rejects with the error of the first one that cannot start. */
  get url(): Promise<string> {
    return this.#started.promise;
  }

  /** Rejects when no worker serves, and new ones exit in a loop before they serve. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Starts a generation beside the active one in every worker. @throws GatewayError where one cannot: none keeps it */
  prepare(packed: PackedGeneration): Promise<void> {
    return this.#reload.prepare(packed);
  }

  /** Activates a prepared generation. */
  activate(packed: PackedGeneration): void {
    this.#active = packed;
    this.#reload.activate(packed.generation);
  }

  /** Resolves when no worker holds the generation any more. */
  released(generation: number): Promise<void> {
    return this.#reload.released(generation);
  }

  /**
   * Drains every worker, and kills those that are still there after the deadline.
   * @returns whether each exited with code 0
   */
  async drain(isHurried: boolean, deadlineMs: number): Promise<boolean> {
    if (!this.#isStopping) this.#allExitedCleanly = true;
    this.#isStopping = true;
    this.#restartTimers.forEach(clearTimeout);
    if (this.#running.size === 0) this.#ended.resolve();
    for (const worker of this.#running) worker.send({ koine: 'stop', isHurried });
    const deadline = setTimeout(() => this.#kill(), deadlineMs);
    await this.#ended.promise;
    clearTimeout(deadline);
    return this.#allExitedCleanly;
  }

  /** Cuts every connection, and kills the workers that are still there shortly after. */
  cut(): void {
    for (const worker of this.#running) worker.send({ koine: 'cut' });
    setTimeout(() => this.#kill(), CUT_MS).unref();
  }

  #kill(): void {
    for (const worker of this.#running) worker.kill();
  }

  #fork(slot: WorkerSlot): void {
    const { port, handle, log } = this.#options;
    const worker = forkWorker(
      port,
      this.#active,
      handle,
      {
        serving: (url) => this.#onServing(worker, url, slot),
        prepared: (generation, error) => this.#reload.prepared(worker, generation, error),
        retired: (generation) => this.#reload.retired(worker, generation),
        gone: (exit) => this.#onGone(worker, exit, slot),
      },
      log.passOn,
    );
    slot.forked(worker);
    this.#running.add(worker);
    this.#reload.add(worker, this.#active.generation);
  }

  #onServing(worker: ForkedWorker, url: string, slot: WorkerSlot): void {
    const { slots, log, onServing } = this.#options;
    this.#serving.add(worker);
    slot.serves();
    this.#meters.setServing(this.#serving.size);
    log.info({ worker: worker.id, pid: worker.pid }, 'a worker serves');
    this.#hasStarted ||= this.#serving.size === slots.length;
    if (!this.#hasStarted) return;
    onServing(true);
    this.#started.resolve(url);
  }

  #onGone(worker: ForkedWorker, exit: WorkerExit, slot: WorkerSlot): void {
    const { onGone, onServing } = this.#options;
    const hasServed = this.#serving.delete(worker);
    this.#meters.setServing(this.#serving.size);
    this.#running.delete(worker);
    const isLast = this.#serving.size === 0;
    this.#reload.remove(worker, hasServed || isLast);
    onGone(worker.id);
    this.#allExitedCleanly &&= exit.code === 0;
    if (this.#isStopping && this.#running.size === 0) this.#ended.resolve();
    if (this.#isStopping) return;
    if (this.#hasStarted && isLast) onServing(false);
    if (!this.#hasStarted && exit.reason !== undefined) this.#giveUp(exit.reason);
    else if (!hasServed && (isLast || !this.#hasStarted) && this.#isCrashLoop()) this.#giveUp(crashLoop(exit));
    else this.#replace(worker, exit, slot);
  }

  #giveUp(error: GatewayError): void {
    this.#started.reject(error);
    this.#failed.reject(error);
  }

  #replace(worker: ForkedWorker, exit: WorkerExit, slot: WorkerSlot): void {
    const { id, pid } = worker;
    const { code, signal, reason } = exit;
    const afterMs = slot.exited(exit);
    const { failedStarts } = slot;
    this.#meters.countRestart(exit);
    this.#options.log.error(
      omitUndefined({ worker: id, pid, code, signal, error: reason, afterMs, failedStarts: failedStarts || undefined }),
      failedStarts === 0 ? 'a worker exited and is replaced' : 'a worker exited before it served and is replaced',
    );
    const timer = setTimeout(() => {
      this.#restartTimers.delete(timer);
      this.#fork(slot);
    }, afterMs);
    this.#restartTimers.add(timer);
  }
}
