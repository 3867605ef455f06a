import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Metrics, Clock } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { HandleRequest } from '../link/link.ts';
import type { PackedGeneration } from '../link/messages.ts';
import type { LogOutput } from '../../services/log/log.ts';
import { createLoadMemory, HostLoad } from '../../services/shared-memory/host-load.ts';
import { createCrashLoopDetector } from './restarts.ts';
import { WorkerReload } from './worker-reload.ts';
import type { WorkerSlot } from './worker-slot.ts';
import { exitReasons, startThread, type WorkerExit, type WorkerThread } from './worker-thread.ts';

export interface WorkersOptions {
  /** The module that a worker thread runs. */
  readonly program: URL;
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

/** How long a worker may take to end once its connections are cut. */
const CUT_MS = 2_000;

const crashLoop = ({ code, reason, error }: WorkerExit): GatewayError =>
  new GatewayError(
    'KOINE_WORKER_FAILED',
    'Workers end again and again before they serve; ' +
      `the last one with exit code ${code} (${reason})${error === undefined ? '' : `: ${error.message}`}`,
  );

const createMeters = (metrics: Metrics) => {
  const restarts = metrics.counter(
    'koine_worker_restarts_total',
    'Workers that ended and were replaced: by an error, a full heap, a stalled event loop, an exit, or at their start.',
    ['reason'],
  );
  // Every series starts at zero: Prometheus sees no increase in a series that was absent before.
  for (const reason of exitReasons) restarts.bind([reason]);
  return {
    setServing: metrics.gauge('koine_workers', 'Workers that serve.', [], 'sum').bind([]),
    countRestart: ({ reason }: WorkerExit) => restarts.bind([reason])(1),
  };
};

/**
 * The worker threads. One that ends is replaced after a back-off. While another one serves, this is tried without
 * end: a gateway with fewer workers is better than none.
 */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #hostLoad: SharedArrayBuffer;
  readonly #meters: ReturnType<typeof createMeters>;
  readonly #isCrashLoop: () => boolean;
  /** Moves them to the next configuration generation. */
  readonly reload = new WorkerReload();
  readonly #running = new Set<WorkerThread>();
  readonly #serving = new Set<WorkerThread>();
  readonly #restartTimers = new Set<NodeJS.Timeout>();
  readonly #started = Promise.withResolvers<string>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #ended = Promise.withResolvers<void>();
  /** The generation that a new worker starts with. */
  #active: PackedGeneration;
  #lastId = 0;
  #hasStarted = false;
  #isStopping = false;
  #allEndedCleanly = true;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#hostLoad = createLoadMemory(options.slots.length);
    this.#meters = createMeters(options.metrics);
    this.#isCrashLoop = createCrashLoopDetector(options.clock);
    this.#active = options.first;
    this.#failed.promise.catch(() => {});
    for (const slot of options.slots) this.#start(slot);
  }

  /** Where they serve, once all do. Rejects with the error of the first one that cannot start. */
  get url(): Promise<string> {
    return this.#started.promise;
  }

  /** Rejects when no worker serves, and new ones end in a loop before they serve. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Activates a prepared generation. */
  activate(packed: PackedGeneration): void {
    this.#active = packed;
    this.reload.activate(packed.generation);
  }

  /**
   * Drains every worker, and terminates those that are still there after the deadline.
   * @returns whether each ended with code 0
   */
  async drain(isHurried: boolean, deadlineMs: number): Promise<boolean> {
    if (!this.#isStopping) this.#allEndedCleanly = true;
    this.#isStopping = true;
    this.reload.stop();
    this.#restartTimers.forEach(clearTimeout);
    if (this.#running.size === 0) this.#ended.resolve();
    for (const worker of this.#running) worker.send({ koine: 'stop', isHurried });
    const deadline = setTimeout(() => this.#kill(), deadlineMs);
    await this.#ended.promise;
    clearTimeout(deadline);
    return this.#allEndedCleanly;
  }

  /** Cuts every connection, and kills the workers that are still there shortly after. */
  cut(): void {
    for (const worker of this.#running) worker.send({ koine: 'cut' });
    setTimeout(() => this.#kill(), CUT_MS).unref();
  }

  #kill(): void {
    for (const worker of this.#running) worker.kill();
  }

  #start(slot: WorkerSlot): void {
    const { program, port, slots, handle, log } = this.#options;
    const worker = startThread(
      program,
      { worker: (this.#lastId += 1), port, place: slots.indexOf(slot), hostLoad: this.#hostLoad },
      this.#active,
      handle,
      {
        serving: (url) => this.#onServing(worker, url, slot),
        prepared: (generation, error) => this.reload.prepared(worker, generation, error),
        retired: (generation) => this.reload.retired(worker, generation),
        gone: (exit) => this.#onGone(worker, exit, slot),
      },
      log.workers,
    );
    slot.started(worker.id);
    this.#running.add(worker);
    this.reload.add(worker, this.#active.generation);
  }

  #onServing(worker: WorkerThread, url: string, slot: WorkerSlot): void {
    const { slots, log, onServing } = this.#options;
    this.#serving.add(worker);
    slot.serves();
    this.#meters.setServing(this.#serving.size);
    log.info({ worker: worker.id }, 'a worker serves');
    this.#hasStarted ||= this.#serving.size === slots.length;
    if (!this.#hasStarted) return;
    onServing(true);
    this.#started.resolve(url);
  }

  #onGone(worker: WorkerThread, exit: WorkerExit, slot: WorkerSlot): void {
    const { slots, onGone, onServing } = this.#options;
    const hasServed = this.#serving.delete(worker);
    this.#meters.setServing(this.#serving.size);
    this.#running.delete(worker);
    const isLast = this.#serving.size === 0;
    this.reload.remove(worker, hasServed || isLast);
    new HostLoad(this.#hostLoad, slots.indexOf(slot)).clear();
    onGone(worker.id);
    this.#allEndedCleanly &&= exit.code === 0;
    if (this.#isStopping && this.#running.size === 0) this.#ended.resolve();
    if (this.#isStopping) return;
    if (this.#hasStarted && isLast) onServing(false);
    if (!this.#hasStarted && exit.error !== undefined) this.#giveUp(exit.error);
    else if (!hasServed && (isLast || !this.#hasStarted) && this.#isCrashLoop()) this.#giveUp(crashLoop(exit));
    else this.#replace(worker, exit, slot);
  }

  #giveUp(error: GatewayError): void {
    this.reload.stop();
    this.#started.reject(error);
    this.#failed.reject(error);
  }

  #replace(worker: WorkerThread, exit: WorkerExit, slot: WorkerSlot): void {
    const { code, reason, error } = exit;
    const afterMs = slot.ended(exit);
    const { failedStarts } = slot;
    this.#meters.countRestart(exit);
    this.#options.log.error(
      omitUndefined({ worker: worker.id, reason, code, error, afterMs, failedStarts: failedStarts || undefined }),
      failedStarts === 0 ? 'a worker exited and is replaced' : 'a worker exited before it served and is replaced',
    );
    const timer = setTimeout(() => {
      this.#restartTimers.delete(timer);
      this.#start(slot);
    }, afterMs);
    this.#restartTimers.add(timer);
  }
}
