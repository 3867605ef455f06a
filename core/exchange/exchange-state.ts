import type { LossPolicy } from '../canonical/loss.ts';
import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { WireTraits } from '../contracts/capabilities.ts';
import type { Caller } from '../contracts/caller.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { AttemptRecord, Ending, Exchange, RequestHead, Target } from '../contracts/exchange.ts';
import type { Admission } from '../contracts/plugin.ts';
import type { VendorStatePolicy } from '../contracts/references.ts';
import type { Reply } from '../contracts/reply.ts';
import type { AttemptTrail } from '../dispatch/dispatcher.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { KeyHold } from './overload.ts';

/** A route as an exchange sees it. */
export interface ExchangeRoute {
  readonly operation: Operation;
  readonly wire: WireName;
  /** Of the wire. */
  readonly traits: WireTraits;
  readonly client: ClientSide<Operation>;
  readonly stream?: boolean;
  readonly versions?: readonly string[];
  readonly losses?: LossPolicy;
  readonly vendorState?: VendorStatePolicy;
}

/** What is known of one exchange so far: each phase adds to it, `settle` reads it. */
export class ExchangeState implements AttemptTrail {
  readonly head: RequestHead;
  readonly route: ExchangeRoute;
  /** The model that the path names. */
  readonly pathModel: string | undefined;
  readonly attempts: AttemptRecord[] = [];
  /** Filled while plugins are asked, so that a refusal by the third undoes the first two. */
  readonly admissions: Admission[] = [];
  /** It counts among the exchanges that are open in this process. */
  entered = false;
  caller: Caller | undefined = undefined;
  /** What the exchange holds of the process for its key. */
  hold: KeyHold | undefined = undefined;
  /** Bytes of the body, inflated. */
  received = 0;
  /** The model as the client named it. */
  requested: string | undefined = undefined;
  exchange: Exchange | undefined = undefined;
  /** What is left of the caller's limits, as headers of the client's wire. */
  limits: Headers | undefined = undefined;
  /** The target of the attempt in flight. */
  target: Target | undefined = undefined;
  /** Of the last attempt. */
  provider: string | undefined = undefined;
  reply: Reply | undefined = undefined;
  /** As the client saw it; 0 while nothing was sent. */
  status = 0;
  /** Milliseconds spent waiting for upstreams until commit. */
  waitedMs = 0;
  firstContentMs: number | undefined = undefined;
  ending: Ending | undefined = undefined;
  error: GatewayError | undefined = undefined;

  constructor(head: RequestHead, route: ExchangeRoute, pathModel?: string) {
    this.head = head;
    this.route = route;
    this.pathModel = pathModel;
  }
}

/** Does the client want its answer as a stream? */
export const isStreamed = ({ request }: Exchange): boolean => 'stream' in request && request.stream;
