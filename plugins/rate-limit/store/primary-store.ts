import type { PrimaryLink } from '../../../core/api/index.ts';
import { PRIMARY_TIMEOUT_MS, type PrimaryMessage } from '../primary-link.ts';
import type { StoreOperation } from '../meters.ts';
import type { BucketState, Charge, Decision, LimitStore, ReserveRequest, Spent } from './store.ts';

type StoreMessage = Extract<PrimaryMessage, { readonly call: StoreOperation }>;
/** Called for every call that fails. */
export type OnFailure = (operation: StoreOperation, error: unknown) => void;

/**
 * The memory store of the primary process, called through its link. In the primary process itself a call returns
 * without a promise, and throws instead of rejecting. The casts are safe: a response has the type of the call.
 */
export class PrimaryStore implements LimitStore {
  private readonly link: PrimaryLink;
  private readonly onFailure: OnFailure;

  constructor(link: PrimaryLink, onFailure: OnFailure) {
    this.link = link;
    this.onFailure = onFailure;
  }

  reserve(request: ReserveRequest): Decision | Promise<Decision> {
    try {
      const response = this.call({ call: 'reserve', request });
      return response instanceof Promise
        ? this.reserveLater(response as Promise<Decision>, request)
        : (response as Decision);
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
    return this.call({ call: 'settle', tenant, id, actual }) as
      | readonly Spent[]
      | undefined
      | Promise<readonly Spent[] | undefined>;
  }

  refresh(tenant: string, ids: readonly string[], leaseMs: number): void | Promise<void> {
    return this.call({ call: 'refresh', tenant, ids, leaseMs }) as void | Promise<void>;
  }

  peek(tenant: string, charges: readonly Charge[]): readonly BucketState[] | Promise<readonly BucketState[]> {
    return this.call({ call: 'peek', tenant, charges }) as readonly BucketState[] | Promise<readonly BucketState[]>;
  }

  renew(tenant: string, charges: readonly Charge[]): void | Promise<void> {
    return this.call({ call: 'renew', tenant, charges }) as void | Promise<void>;
  }

  private call(message: StoreMessage): unknown {
    try {
      const response = this.link.call(message, PRIMARY_TIMEOUT_MS);
      if (response instanceof Promise) response.catch((error: unknown) => this.onFailure(message.call, error));
      return response;
    } catch (error) {
      this.onFailure(message.call, error);
      throw error;
    }
  }

  private async reserveLater(response: Promise<Decision>, request: ReserveRequest): Promise<Decision> {
    try {
      return await response;
    } catch (error) {
      this.release(request);
      throw error;
    }
  }

  /** The primary can execute the reservation late, and nothing else would settle it. */
  private release({ tenant, id, charges }: ReserveRequest): void {
    try {
      const response = this.link.call(
        { call: 'settle', tenant, id, actual: charges.map(() => 0) } satisfies PrimaryMessage,
        PRIMARY_TIMEOUT_MS,
      );
      if (response instanceof Promise) response.catch(() => {});
    } catch {
      // Its lease expires.
    }
  }
}
