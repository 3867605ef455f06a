import type { LossPolicy } from '../canonical/loss.ts';
import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { WireTraits } from '../contracts/capabilities.ts';
import type { Caller, CostHeaders, HostedToolsSetting } from '../contracts/caller.ts';
import type { ClientSide } from '../contracts/codec.ts';
import type { AttemptRecord, Ending } from '../contracts/attempt-record.ts';
import type { Exchange, RequestHead } from '../contracts/exchange.ts';
import type { Target } from '../contracts/target.ts';
import type { Admission } from '../contracts/outcome.ts';
import type { VendorStatePolicy } from '../contracts/request-members.ts';
import type { Reply } from '../contracts/attempt.ts';
import type { AttemptTrail } from '../dispatch/dispatcher.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { Spending } from '../outcome/charges.ts';
import type { ReceivedUpload } from './client-connection.ts';
import type { KeyHold } from './overload/overload.ts';

export interface ExchangeRoute {
  readonly operation: Operation;
  readonly wire: WireName;
  readonly traits: WireTraits;
  readonly client: ClientSide<Operation>;
  readonly stream?: boolean;
  readonly versions?: readonly string[];
  readonly losses?: LossPolicy;
  readonly vendorState?: VendorStatePolicy;
  readonly costHeaders?: CostHeaders;
  readonly bodyLimit?: number;
  readonly hostedTools?: HostedToolsSetting;
}

/** What is known about one exchange so far. Each phase adds to it, `settle` reads it. */
export class ExchangeState implements AttemptTrail {
  readonly head: RequestHead;
  readonly route: ExchangeRoute;
  /** The model in the path of the request. */
  readonly pathModel: string | undefined;
  readonly attempts: AttemptRecord[] = [];
  /** Filled plugin by plugin, so that a refusal by the third settles the admissions of the first two. */
  readonly admissions: Admission[] = [];
  /** It is counted among the open exchanges of this process. */
  entered = false;
  caller: Caller | undefined = undefined;
  /** The share of the process that the exchange holds for its key. */
  hold: KeyHold | undefined = undefined;
  /** The form of the request. It is closed at the end of the exchange. */
  upload: ReceivedUpload | undefined = undefined;
  /** Bytes of the body, decompressed. */
  received = 0;
  /** The model as the client named it. */
  requested: string | undefined = undefined;
  exchange: Exchange | undefined = undefined;
  /** The response shows what the exchange cost. */
  tellsCost = false;
  /** Usage and cost, if they were measured for the response. The outcome then has the same. */
  spending: Spending | undefined = undefined;
  /** What remains of the caller's limits, as headers of the client's wire. */
  limits: Headers | undefined = undefined;
  /** The target of the attempt in flight. */
  target: Target | undefined = undefined;
  /** The provider of the last attempt. */
  provider: string | undefined = undefined;
  reply: Reply | undefined = undefined;
  /** The status that the client received; 0 while nothing was sent. */
  status = 0;
  /** Milliseconds of waiting for upstreams until commit. */
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

/** Whether the client wants a stream. */
export const isStreamed = ({ request }: Exchange): boolean => 'stream' in request && request.stream;
