import type { Caller } from '../contracts/caller.ts';
import type { AttemptRecord, Ending, Exchange, Target } from '../contracts/exchange.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { VendorStatePolicy } from '../contracts/references.ts';
import type { LossPolicy } from '../canonical/loss.ts';
import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { GatewayError } from '../errors.ts';
import type { Admissions } from './admit.ts';
import type { KeyHold } from './overload.ts';

/** A route as an exchange sees it. */
export interface ExchangeRoute {
  readonly operation: Operation;
  readonly wire: WireName;
  readonly client: ClientSide<Operation>;
  readonly stream?: boolean;
  readonly versions?: readonly string[];
  readonly losses?: LossPolicy;
  readonly vendorState?: VendorStatePolicy;
  /** From the path. */
  readonly model?: string;
}

/** What is known of one exchange so far: each phase adds to it, settle reads it. */
export interface Progress {
  readonly attempts: AttemptRecord[];
  readonly admissions: Admissions;
  /** What is left of the caller's limits, as the client's wire says it. */
  limits?: Headers;
  caller?: Caller;
  /** What the exchange holds of the process for its key. */
  hold?: KeyHold;
  /** The model as the client named it. */
  requested?: string;
  exchange?: Exchange;
  /** The target of the attempt in flight. */
  target?: Target;
  /** Of the last attempt. */
  provider?: string;
  /** As the client saw it; 0 while nothing was sent. */
  status: number;
  /** Milliseconds spent waiting for upstreams until commit. */
  waitedMs: number;
  firstContentMs?: number;
  /** Bytes of the body, inflated. */
  received: number;
  ending?: Ending;
  error?: GatewayError;
}

export const createProgress = (): Progress => ({ attempts: [], admissions: [], status: 0, waitedMs: 0, received: 0 });

export const isStreamed = (exchange: Exchange): boolean => 'stream' in exchange.request && exchange.request.stream;
