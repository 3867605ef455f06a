import { GatewayError } from '../../errors/gateway-error.ts';
import { withTimeout } from '../../extensions/with-timeout.ts';
import type { PackedGeneration } from '../link/messages.ts';
import type { WorkerThread } from './worker-thread.ts';

/** How long one worker may take to start a configuration. */
const PREPARE_MS = 60_000;

interface Member {
  readonly worker: WorkerThread;
  /** The generations that it was sent and has not retired. */
  readonly holds: Set<number>;
  /** The generation that it was last sent, until it reports the result. */
  preparing?: PromiseWithResolvers<GatewayError | undefined> & { readonly generation: number };
}

const failed = ({ id }: WorkerThread, what: string): GatewayError =>
  new GatewayError('KOINE_WORKER_FAILED', `Worker ${id} ${what}.`);
const tooSlow = (worker: WorkerThread): GatewayError =>
  failed(worker, `did not start the configuration within ${PREPARE_MS / 1_000} s`);
const ended = (worker: WorkerThread): GatewayError => failed(worker, 'ended while it started the configuration');

/** Moves all workers to the next configuration generation, and records which worker still holds which. */
export class WorkerReload {
  readonly #members = new Map<WorkerThread, Member>();
  /** By generation: resolves when no worker holds it any more. */
  readonly #releases = new Map<number, () => void>();
  /** A reload whose worker has ended waits for it. */
  #successor: PromiseWithResolvers<Member> | undefined;
  #isStopped = false;

  add(worker: WorkerThread, generation: number): void {
    const member = { worker, holds: new Set([generation]) };
    this.#members.set(worker, member);
    this.#successor?.resolve(member);
  }

  /** No worker is replaced any more. */
  stop(): void {
    this.#isStopped = true;
    this.#successor?.reject(new GatewayError('shutting_down'));
  }

  /**
   * The worker has ended.
   * @param counts for a reload that waits for it. One that never served may have failed because of the active
   *   generation, and does not count.
   */
  remove(worker: WorkerThread, counts: boolean): void {
    const preparing = this.#members.get(worker)?.preparing;
    preparing?.resolve(counts ? ended(worker) : undefined);
    this.#members.delete(worker);
    this.#resolveReleased();
  }

  /** The worker has started the generation, or could not. */
  prepared(worker: WorkerThread, generation: number, error: GatewayError | undefined): void {
    const preparing = this.#members.get(worker)?.preparing;
    if (preparing?.generation !== generation) return;
    if (error === undefined) preparing.resolve(undefined);
    else preparing.reject(error);
  }

  /** The last request of the generation in the worker has ended. */
  retired(worker: WorkerThread, generation: number): void {
    this.#members.get(worker)?.holds.delete(generation);
    this.#resolveReleased();
  }

  /**
   * Starts a generation beside the active one in every worker, one after the other. If one fails, all close it again.
   * A worker that ends meanwhile may have another reason: the next to try is its successor, so that a generation that
   * does end workers ends no further one. If a second one ends, the generation fails.
   * @throws GatewayError
   */
  async prepare(packed: PackedGeneration): Promise<void> {
    let hasLostOne = false;
    try {
      // A worker that starts meanwhile has the active generation, and is found by a later pass.
      let member = this.#nextWithout(packed);
      while (member !== undefined) {
        const lost = await this.#prepareOne(member, packed);
        if (lost !== undefined && hasLostOne) throw lost;
        hasLostOne ||= lost !== undefined;
        member = lost === undefined ? this.#nextWithout(packed) : await this.#awaitSuccessor();
      }
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

  async #awaitSuccessor(): Promise<Member> {
    if (this.#isStopped) throw new GatewayError('shutting_down');
    this.#successor = Promise.withResolvers();
    return this.#successor.promise;
  }

  /** @returns an error where the worker has ended meanwhile. @throws GatewayError where it cannot */
  #prepareOne(member: Member, packed: PackedGeneration): Promise<GatewayError | undefined> {
    const preparing = { ...Promise.withResolvers<GatewayError | undefined>(), generation: packed.generation };
    member.preparing = preparing;
    member.holds.add(packed.generation);
    member.worker.send({ koine: 'prepare', ...packed });
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
