import { GatewayError } from '../../errors/gateway-error.ts';
import { limitTime } from '../../extensions/limit-time.ts';
import type { ForkedWorker } from './forked-worker.ts';
import type { PackedEdition } from '../link/messages.ts';

/** How long one worker may take to start a configuration. */
const PREPARE_MS = 60_000;

interface Member {
  readonly worker: ForkedWorker;
  /** The editions that it has started and not retired. */
  readonly holds: Set<number>;
  /** What it was asked to prepare. */
  answer?: { readonly edition: number; resolve(): void; reject(error: GatewayError): void };
}

/** Which configurations the workers hold, and how all of them come to the next one. */
export interface Crew {
  add(worker: ForkedWorker, edition: number): void;
  prepared(worker: ForkedWorker, edition: number, error: GatewayError | undefined): void;
  retired(worker: ForkedWorker, edition: number): void;
  remove(worker: ForkedWorker): void;
  /** Has every worker start it beside the one in force, one after the other. Where one cannot, none keeps it. @throws GatewayError */
  prepare(edition: PackedEdition): Promise<void>;
  /** All of them at once. */
  enforce(edition: number): void;
  /** Resolves when nobody holds it any more. */
  over(edition: number): Promise<void>;
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

export function createCrew(): Crew {
  const members = new Map<ForkedWorker, Member>();
  const waiting = new Map<number, () => void>();

  const isHeld = (edition: number): boolean => [...members.values()].some(({ holds }) => holds.has(edition));
  const look = (): void => {
    for (const [edition, resolve] of waiting) {
      if (isHeld(edition)) continue;
      waiting.delete(edition);
      resolve();
    }
  };
  const ask = (member: Member, packed: PackedEdition): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    member.answer = { edition: packed.edition, resolve, reject };
    member.holds.add(packed.edition);
    member.worker.tell({ koine: 'prepare', ...packed });
    return limitTime(promise, PREPARE_MS, () => silent(member.worker));
  };
  const drop = (edition: number): void => {
    for (const { worker, holds } of members.values())
      if (holds.delete(edition)) worker.tell({ koine: 'drop', edition });
  };
  return {
    add: (worker, edition) => void members.set(worker, { worker, holds: new Set([edition]) }),
    prepared: (worker, edition, error) => {
      const answer = members.get(worker)?.answer;
      if (answer?.edition !== edition) return;
      if (error === undefined) answer.resolve();
      else answer.reject(error);
    },
    retired: (worker, edition) => {
      members.get(worker)?.holds.delete(edition);
      look();
    },
    remove: (worker) => {
      members.get(worker)?.answer?.reject(died(worker));
      members.delete(worker);
      look();
    },
    prepare: async (packed) => {
      const next = (): Member | undefined => [...members.values()].find(({ holds }) => !holds.has(packed.edition));
      try {
        // Whoever takes the place of a worker meanwhile starts with the edition that is still in force, and has to be asked as well.
        for (let member = next(); member !== undefined; member = next()) await ask(member, packed);
      } catch (thrown) {
        drop(packed.edition);
        throw thrown;
      }
    },
    enforce: (edition) => members.forEach(({ worker }) => worker.tell({ koine: 'enforce', edition })),
    over: async (edition) => {
      if (isHeld(edition)) await new Promise<void>((resolve) => waiting.set(edition, resolve));
    },
  };
}
