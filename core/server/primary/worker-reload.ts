import { GatewayError } from '../../errors/gateway-error.ts';
import { withTimeout } from '../../extensions/with-timeout.ts';
import type { ForkedWorker } from './forked-worker.ts';
import type { PackedGeneration } from '../link/messages.ts';

/** How long one worker may take to start a configuration. */
const PREPARE_MS = 60_000;

interface Member {
  readonly worker: ForkedWorker;
  /** The generations that it has started and not retired. */
  readonly holds: Set<number>;
  /** What it was asked to prepare. */
  answer?: { readonly generation: number; resolve(): void; reject(error: GatewayError): void };
}

/** Which configurations the workers hold, and how all of them come to the next one. */
export interface WorkerReload {
  add(worker: ForkedWorker, generation: number): void;
  prepared(worker: ForkedWorker, generation: number, error: GatewayError | undefined): void;
  retired(worker: ForkedWorker, generation: number): void;
  remove(worker: ForkedWorker): void;
  /** Has every worker start it beside the one in force, one after the other. Where one cannot, none keeps it. @throws GatewayError */
  prepare(generation: PackedGeneration): Promise<void>;
  /** All of them at once. */
  enforce(generation: number): void;
  /** Resolves when nobody holds it any more. */
  over(generation: number): Promise<void>;
}

const silent = ({ id, pid }: ForkedWorker): GatewayError =>
  new GatewayError(
    'KOINE_WORKER_FAILED',
    `Worker ${id} (pid ${pid ?? 'unknown'}) did not start the configuration within ${PREPARE_MS / 1_000} s.`,
  );
const died = ({ id, pid }: ForkedWorker): GatewayError =>
  new GatewayError(
    'KOINE_WORKER_FAILED',
    `Worker ${id} (pid ${pid ?? 'unknown'}) died while it started the configuration.`,
  );

export function createWorkerReload(): WorkerReload {
  const members = new Map<ForkedWorker, Member>();
  const waiting = new Map<number, () => void>();

  const isHeld = (generation: number): boolean => [...members.values()].some(({ holds }) => holds.has(generation));
  const look = (): void => {
    for (const [generation, resolve] of waiting) {
      if (isHeld(generation)) continue;
      waiting.delete(generation);
      resolve();
    }
  };
  const ask = (member: Member, packed: PackedGeneration): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    member.answer = { generation: packed.generation, resolve, reject };
    member.holds.add(packed.generation);
    member.worker.tell({ koine: 'prepare', ...packed });
    return withTimeout(promise, PREPARE_MS, () => silent(member.worker));
  };
  const drop = (generation: number): void => {
    for (const { worker, holds } of members.values())
      if (holds.delete(generation)) worker.tell({ koine: 'drop', generation });
  };
  return {
    add: (worker, generation) => void members.set(worker, { worker, holds: new Set([generation]) }),
    prepared: (worker, generation, error) => {
      const answer = members.get(worker)?.answer;
      if (answer?.generation !== generation) return;
      if (error === undefined) answer.resolve();
      else answer.reject(error);
    },
    retired: (worker, generation) => {
      members.get(worker)?.holds.delete(generation);
      look();
    },
    remove: (worker) => {
      members.get(worker)?.answer?.reject(died(worker));
      members.delete(worker);
      look();
    },
    prepare: async (packed) => {
      const next = (): Member | undefined => [...members.values()].find(({ holds }) => !holds.has(packed.generation));
      try {
        // Whoever takes the place of a worker meanwhile starts with the generation that is still in force, and has to be asked as well.
        for (let member = next(); member !== undefined; member = next()) await ask(member, packed);
      } catch (thrown) {
        drop(packed.generation);
        throw thrown;
      }
    },
    enforce: (generation) => members.forEach(({ worker }) => worker.tell({ koine: 'enforce', generation })),
    over: async (generation) => {
      if (isHeld(generation)) await new Promise<void>((resolve) => waiting.set(generation, resolve));
    },
  };
}
