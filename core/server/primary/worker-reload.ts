import { GatewayError } from '../../errors/gateway-error.ts';
import { withTimeout } from '../../extensions/with-timeout.ts';
import type { PackedGeneration } from '../link/messages.ts';
import { sendConfig, type ForkedWorker } from './forked-worker.ts';

/** How long one worker may take to start a configuration. */
const PREPARE_MS = 60_000;

interface Member {
  readonly worker: ForkedWorker;
  /** The generations that it was sent and has not retired. */
  readonly holds: Set<number>;
  /** The generation that it was last sent, until it reports the result. */
  preparing?: PromiseWithResolvers<void> & { readonly generation: number };
}

const failed = ({ id, pid }: ForkedWorker, what: string): GatewayError =>
  new GatewayError('KOINE_WORKER_FAILED', `Worker ${id} (pid ${pid ?? 'unknown'}) ${what}.`);
const tooSlow = (worker: ForkedWorker): GatewayError =>
  failed(worker, `did not start the configuration within ${PREPARE_MS / 1_000} s`);
const exited = (worker: ForkedWorker): GatewayError => failed(worker, 'exited while it started the configuration');

/** Moves all workers to the next configuration generation, and records which worker still holds which. */
export class WorkerReload {
  readonly #members = new Map<ForkedWorker, Member>();
  /** By generation: resolves when no worker holds it any more. */
  readonly #releases = new Map<number, () => void>();

  add(worker: ForkedWorker, generation: number): void {
    this.#members.set(worker, { worker, holds: new Set([generation]) });
  }

  /**
   * The worker has exited.
   * @param endsReload fails a reload that waits for it. One that never served may have failed because of the active
   *   generation, and does not count.
   */
  remove(worker: ForkedWorker, endsReload: boolean): void {
    const preparing = this.#members.get(worker)?.preparing;
    if (endsReload) preparing?.reject(exited(worker));
    else preparing?.resolve();
    this.#members.delete(worker);
    this.#resolveReleased();
  }

  /** The worker has started the generation, or could not. */
  prepared(worker: ForkedWorker, generation: number, error: GatewayError | undefined): void {
    const preparing = this.#members.get(worker)?.preparing;
    if (preparing?.generation !== generation) return;
    if (error === undefined) preparing.resolve();
    else preparing.reject(error);
  }

  /** The last request of the generation in the worker has ended. */
  retired(worker: ForkedWorker, generation: number): void {
    this.#members.get(worker)?.holds.delete(generation);
    this.#resolveReleased();
  }

  /**
   * Starts a generation beside the active one in every worker, one after the other. If one fails, all close it again.
   * @throws GatewayError
   */
  async prepare(packed: PackedGeneration): Promise<void> {
    try {
      // A worker that is forked meanwhile starts with the active generation, and is found by a later pass.
      for (let member = this.#nextWithout(packed); member !== undefined; member = this.#nextWithout(packed))
        await this.#prepareOne(member, packed);
    } catch (thrown) {
      this.#drop(packed.generation);
      throw thrown;
    }
  }

  /** In all workers at once. */
  activate(generation: number): void {
    for (const { worker } of this.#members.values()) worker.send({ koine: 'activate', generation });
  }

  /** Resolves when no worker holds the generation any more. */
  async released(generation: number): Promise<void> {
    if (this.#isHeld(generation)) await new Promise<void>((resolve) => this.#releases.set(generation, resolve));
  }

  #nextWithout({ generation }: PackedGeneration): Member | undefined {
    return this.#members.values().find(({ holds }) => !holds.has(generation));
  }

  #prepareOne(member: Member, packed: PackedGeneration): Promise<void> {
    const preparing = { ...Promise.withResolvers<void>(), generation: packed.generation };
    member.preparing = preparing;
    member.holds.add(packed.generation);
    const { generation } = packed;
    void sendConfig(member.worker.send, packed, { koine: 'prepare', generation }, () => member.holds.has(generation));
    return withTimeout(preparing.promise, PREPARE_MS, () => tooSlow(member.worker));
  }

  #drop(generation: number): void {
    for (const { worker, holds } of this.#members.values())
      if (holds.delete(generation)) worker.send({ koine: 'drop', generation });
  }

  #isHeld(generation: number): boolean {
    return this.#members.values().some(({ holds }) => holds.has(generation));
  }

  #resolveReleased(): void {
    for (const [generation, resolve] of this.#releases) {
      if (this.#isHeld(generation)) continue;
      this.#releases.delete(generation);
      resolve();
    }
  }
}
