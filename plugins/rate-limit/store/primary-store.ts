import type { PrimaryLink } from '../../../core/index.ts';
import type { PrimaryMessage } from '../messages.ts';
import type { StoreOperation } from '../meters.ts';
import type { BucketState, Charge, Decision, LimitStore, ReserveRequest, Spent } from './store.ts';

/** A primary that lives answers in microseconds; one that is busy should not lose requests. */
export const PRIMARY_PATIENCE_MS = 1_000;

type StoreMessage = Extract<PrimaryMessage, { readonly call: StoreOperation }>;
/** Called for every call that fails. */
export type NoteFailure = (operation: StoreOperation, error: unknown) => void;

/**
 * The memory store of the primary process, as a store. It answers at once where that is this process, and throws there what a promise would reject
 * with elsewhere. What it answers has the shape of what it was asked.
 */
export class PrimaryStore implements LimitStore {
  private readonly link: PrimaryLink;
  private readonly noteFailure: NoteFailure;

  constructor(link: PrimaryLink, noteFailure: NoteFailure) {
    this.link = link;
    this.noteFailure = noteFailure;
  }

  reserve(request: ReserveRequest): Decision | Promise<Decision> {
    try {
      const answer = this.ask({ call: 'reserve', request });
      return answer instanceof Promise ? this.reserveLater(answer as Promise<Decision>, request) : (answer as Decision);
    } catch (error) {
      this.release(request);
      throw error;
    }
  }

  settle(
    tenant: string,
    id: string,
    actual: readonly number[],
  ): readonly Spent[] | undefined | Promise<readonly Spent[] | undefined> {
    return this.ask({ call: 'settle', tenant, id, actual }) as
      | readonly Spent[]
      | undefined
      | Promise<readonly Spent[] | undefined>;
  }

  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void> {
    return this.ask({ call: 'refresh', tenant, ids, leaseMs }) as void | Promise<void>;
  }

  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[] | Promise<readonly BucketState[]> {
    return this.ask({ call: 'peek', tenant, charges }) as readonly BucketState[] | Promise<readonly BucketState[]>;
  }

  private ask(message: StoreMessage): unknown {
    try {
      const answer = this.link.call(message, PRIMARY_PATIENCE_MS);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.noteFailure(message.call, error));
      return answer;
    } catch (error) {
      this.noteFailure(message.call, error);
      throw error;
    }
  }

  private async reserveLater(answer: Promise<Decision>, request: ReserveRequest): Promise<Decision> {
    try {
      return await answer;
    } catch (error) {
      this.release(request);
      throw error;
    }
  }

  /** It may be carried out all the same when the primary comes to it, with nobody to settle it. */
  private release({ tenant, id, charges }: ReserveRequest): void {
    try {
      const answer = this.link.call(
        { call: 'settle', tenant, id, actual: charges.map(() => 0) } satisfies PrimaryMessage,
        PRIMARY_PATIENCE_MS,
      );
      if (answer instanceof Promise) answer.catch(() => {});
    } catch {
      // It runs out with its lease.
    }
  }
}
