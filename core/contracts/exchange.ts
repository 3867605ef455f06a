import type { Loss, LossPolicy } from '../canonical/loss.ts';
import type { Finish } from '../canonical/finish.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { FailureClass } from '../errors/codes.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { Caller } from './caller.ts';
import type { InboundRequest, RequestOf } from './codec.ts';
import type { Price } from './price.ts';
import type { Endpoint } from './provider.ts';

/** What is known before the body is read. */
export interface RequestHead {
  /** Ours. A client's `x-request-id` is kept in `headers`. */
  readonly id: string;
  readonly route: RouteInfo;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** The client's address; forwarded headers are believed from trusted proxies only. */
  readonly address: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
}
export interface RouteInfo {
  readonly path: string;
  /** `endpoint`: a call of a plugin. `other`: nothing is there; path and wire are `other` as well. */
  readonly operation: Operation | 'models' | 'endpoint' | 'other';
  readonly wire: WireName;
}

/** One client request from accept to settle. A phase has the type of what is known: in `admit` nothing here is undefined. */
export interface ExchangeOf<O extends Operation> extends RequestHead {
  readonly operation: O;
  readonly caller: Caller;
  readonly inbound: InboundRequest;
  /** Catalog id, aliases resolved. */
  readonly model: string;
  readonly request: RequestOf<O>;
  /** Framing of a streamed answer to the client. */
  readonly framing: string;
  /** In failover order; never empty. */
  readonly targets: readonly Target[];
  /** From bytes, declared caps, choices and the model's cap; computed once, used by limits, ledger and count-tokens. */
  readonly estimate: Estimate;
  /** What happens when a target would lose something of the request: the stricter word of route and key. */
  readonly losses: LossPolicy;
  readonly attempts: readonly AttemptRecord[];
}
/** A union, so `exchange.operation === 'generate'` narrows `exchange.request` without a cast. */
export type Exchange = { [O in Operation]: ExchangeOf<O> }[Operation];

/** Provider and upstream model. */
export interface Target {
  /** `<provider>/<model at the provider>`. */
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  /** Pinned by the configuration; otherwise the endpoint chooses. */
  readonly wire?: WireName;
  readonly endpoint: Endpoint;
  /** Ids of the credentials that can be used; empty when none can. */
  readonly credentials: readonly string[];
  /** Why there are none. */
  readonly unavailable?: string;
  /** Absent: nobody said what it costs. */
  readonly price?: Price;
  /**
   * May it reason where the request does not ask for it, as far as its capabilities tell? What it reasons is charged as output, and need not be shown.
   * `always`: also where the request asks for none.
   */
  readonly reasons?: 'always' | 'unasked';
}

/** What an exchange may use. */
export interface Estimate {
  readonly inputTokens: number;
  /** The largest cap that the client declared in any field, times the answers it asked for; where it declared none, a usual answer. */
  readonly outputTokens: number;
  /** The client declared a cap. Where it did not, nothing may be refused for the estimate alone. */
  readonly declared: boolean;
}

export type Lane = 'native' | 'translated';

/** One upstream call about to be made. */
export interface AttemptOf<O extends Operation> {
  readonly operation: O;
  readonly exchange: ExchangeOf<O>;
  readonly target: Target;
  readonly credential: string;
  readonly wire: WireName;
  /** An interceptor that replaces it moves the attempt to the translated lane: identity is the test. */
  readonly request: RequestOf<O>;
  /** Extra upstream headers (traceparent). */
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** Its upstream calls, in the order in which they were sent. The lane adds to it. */
  readonly calls: CallRecord[];
  /** What the translation lost so far. The lane adds to it. */
  readonly losses: Loss[];
}
/** One HTTP request to an upstream. */
export interface CallRecord {
  /** Of the response; 0 until its headers have arrived. */
  status: number;
  /** What it has reported so far, where nothing of its answer has been delivered. */
  usage?: Usage;
}
export type Attempt = { [O in Operation]: AttemptOf<O> }[Operation];

/** What an attempt became. */
export interface AttemptRecord {
  readonly target: string;
  readonly credential: string;
  /** That the target was spoken to in; absent where it speaks none that the request could go out in. */
  readonly wire?: WireName;
  readonly lane: Lane | undefined;
  readonly committed: boolean;
  /** Upstream HTTP status; 0 when none arrived. */
  readonly status: number;
  readonly failure?: FailureClass;
  readonly ending?: Ending;
  readonly ms: number;
  /** Milliseconds that the strategy let pass before it, where it did. */
  readonly waitedMs?: number;
  readonly losses: readonly Loss[];
  /**
   * Where no ending says it: the calls that must be paid, each with what it had reported by then. Those are calls that the upstream had begun
   * to answer well, and those that were in flight when the client left.
   */
  readonly paid?: readonly (Usage | undefined)[];
  /** The client left while it was under way: what the calls in `paid` used after their last report is unknown. */
  readonly clientLeft?: boolean;
}

export type EndingReason =
  | 'complete'
  /** The call is over, and the vendor goes on making the answer. */
  | 'unfinished'
  | 'client_closed'
  | 'upstream_reset'
  | 'idle_timeout'
  | 'max_duration'
  | 'upstream_error_event'
  | 'truncated'
  | 'gateway_error'
  | 'drain';

/** How delivery ended. */
export interface Ending {
  readonly reason: EndingReason;
  readonly usage: Usage | undefined;
  /** Of several calls that made one answer: what each reported. */
  readonly calls?: readonly (Usage | undefined)[];
  readonly finish?: Finish;
  /** The model the provider reported. */
  readonly model?: string;
  readonly error?: GatewayError;
  /** The client had left, and the answer was read to its end all the same: what it reported is the last word. */
  readonly readToEnd?: boolean;
  /** What the output weighs that passed (`weighText`; a Latin character is 1): what an estimate is made from when `usage` is missing. */
  readonly outputChars: number;
  /** The model was seen to reason. */
  readonly reasoned?: boolean;
  /** Milliseconds of its delivery that went into waiting for the upstream and the client. */
  readonly waitedMs?: number;
}

/** What one attempt used, and what that costs. */
export interface Charge {
  /** Its place in `attempts`. */
  readonly attempt: number;
  readonly target: Target;
  readonly usage: Usage;
  /** Where several calls made one answer: each of them, priced by itself. */
  readonly calls?: readonly Usage[];
  /** Nano-dollars; undefined where the target has no price. */
  readonly cost: bigint | undefined;
}

/** What the prompt cache was worth to an exchange, in nano-dollars. */
export interface CacheAccount {
  /** What its reads saved, less what its writes cost above plain input: negative where they were in vain. */
  readonly saved: bigint;
  /** What was paid again because the conversation moved to a target that had not cached it. */
  readonly lost: bigint;
}

/** Frozen: everyone settles on one figure, in any order. */
export interface Outcome {
  readonly result:
    | 'ok'
    | 'unfinished'
    | 'client_error'
    | 'rate_limited'
    | 'auth'
    | 'upstream_error'
    | 'timeout'
    | 'client_closed'
    | 'gateway_error'
    | 'shed';
  readonly status: number;
  /** Every attempt that used something: the one that answered, and those before it that cost as well. Empty: nothing was used. */
  readonly charges: readonly Charge[];
  /** The sum of the charges: as the providers reported it, estimated where one reported nothing; undefined where nothing was used. */
  readonly usage: Usage | undefined;
  /** Nano-dollars: the sum of the charges that have a price; undefined where none has. */
  readonly cost: bigint | undefined;
  /** As the plugin that accounts for the prompt cache says. */
  readonly cache?: CacheAccount;
  readonly attempts: readonly AttemptRecord[];
  readonly ending?: Ending;
  readonly error?: GatewayError;
  /** Milliseconds: in all, until the first content, and the gateway's own share before the answer began and from then on. */
  readonly times: {
    readonly total: number;
    readonly firstContent?: number;
    readonly own: number;
    readonly ownAfter?: number;
  };
  /** Of the body that came, inflated, and of those that went out to the client. */
  readonly bytes?: { readonly received: number; readonly sent: number };
}

/** A request that is over, whoever answered it. */
export interface EndedRequest {
  readonly head: RequestHead;
  readonly outcome: Outcome;
  /** Absent: nobody knows who called. */
  readonly caller?: Caller;
  /** Absent: it was no exchange, or was refused before it was understood. */
  readonly exchange?: Exchange;
}
