import type { Usage } from '../canonical/usage.ts';
import type { Headers } from '../canonical/wire.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { LimitFigures } from '../errors/limit-figures.ts';
import type { AttemptRecord, Ending } from './attempt-record.ts';
import type { Caller, Limit, LimitScope } from './caller.ts';
import type { Price } from './price.ts';
import type { Exchange, RequestHead } from './exchange.ts';
import type { Target } from './target.ts';

/** The usage and cost of one attempt. What the vendor used another model for is a charge of its own. */
export interface Charge {
  /** Index in `attempts`. */
  readonly attempt: number;
  readonly target: Target;
  readonly usage: Usage;
  /** If several calls made one response: each of them, priced separately. */
  readonly calls?: readonly Usage[];
  /**
   * What the cost was calculated with. It can differ from the price of the target. Absent: no price is known, and a
   * cost is the one that the vendor reported.
   */
  readonly price?: Price;
  /** Nano-dollars; undefined if neither a price nor the vendor's own cost is known. */
  readonly cost: bigint | undefined;
}

/** What the prompt cache saved or lost in an exchange, in nano-dollars. */
export interface CacheAccount {
  /** Savings of cache reads minus the surcharge of cache writes. Negative if the writes did not pay off. */
  readonly saved: bigint;
  /** Paid again because the conversation moved to a target that had not cached it. */
  readonly lost: bigint;
}

/** Names and values that a plugin adds to the records of a request. */
export type Fields = Readonly<Record<string, string | number | boolean>>;

/**
 * What a plugin adds to the access log line, to the row of the ledger, and to the span of a request. Names begin with a
 * letter and have at most 64 letters, digits and `_`; at most 10 in each group. Texts are cut at 128 characters, and
 * secrets are redacted. The name of the plugin is put before each name, so none can replace a field of the gateway.
 */
export interface Annotations {
  /** Under `fields` in the access log line. */
  readonly log?: Fields;
  /** In the column `tags` of the ledger. Written for requests that were admitted. */
  readonly tags?: Fields;
  /** Attributes of the span, after `koine.plugin.`. */
  readonly span?: Fields;
}

/**
 * How a request ended, in four classes: docs/reference/metrics.md. The success rate is `success` divided by the sum of
 * `success` and `failure`: a request that was wrong, or over a limit, says nothing about the gateway.
 */
export type OutcomeClass = 'success' | 'client_error' | 'limited' | 'failure';

/** The final figures of an exchange. Frozen, so that every plugin settles on the same figures in any order. */
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
  /**
   * The vendor continues the response in the background: this outcome has no figures. The hook `resume` is called, and
   * the admission that it returns is settled with them.
   */
  readonly continues?: true;
  /** HTTP status sent to the client. */
  readonly status: number;
  /** When the exchange ended, in unix milliseconds. */
  readonly endedAt: number;
  /** One entry for each attempt that used something, including failed attempts that cost. Empty: nothing was used. */
  readonly charges: readonly Charge[];
  /** Sum of the charges, estimated where a provider reported nothing; undefined if nothing was used. */
  readonly usage: Usage | undefined;
  /** Nano-dollars: sum of the charges with a price; undefined if none has one. */
  readonly cost: bigint | undefined;
  /** From the `account` hook. */
  readonly cache?: CacheAccount;
  /** Of all plugins, by `<plugin>.<name>`. */
  readonly annotations?: Annotations;
  readonly attempts: readonly AttemptRecord[];
  readonly ending?: Ending;
  readonly error?: GatewayError;
  /**
   * Milliseconds: in total, until the first content, and the share of the gateway itself before the first content
   * (`own`) and after it (`ownAfter`).
   */
  readonly times: {
    readonly total: number;
    readonly firstContent?: number;
    readonly own: number;
    readonly ownAfter?: number;
  };
  /** Body bytes: received (after decompression) and sent to the client. */
  readonly bytes?: { readonly received: number; readonly sent: number };
}

/** A request that has ended, for the `ended` hook. */
export interface EndedRequest {
  readonly head: RequestHead;
  readonly outcome: Outcome;
  /** Absent: the caller is unknown. */
  readonly caller?: Caller;
  /** The model as the client named it. Absent: the request was refused before its body was decoded. */
  readonly requested?: string;
  /** Absent: the request was refused before its body was decoded, or was not for a model. */
  readonly exchange?: Exchange;
}

/** The result of `enter`, `admit` and `admitDirect`: what the plugin reserved for the request. */
export interface Admission {
  /**
   * The tightest limits of the caller, for the rate limit headers of the response.
   * @example limits: { requests: { limit: 100, remaining: 99, resetMs: 60_000 } }
   */
  readonly limits?: LimitFigures;
  /**
   * Additional response headers.
   * @example headers: { 'x-team': team }
   */
  readonly headers?: Headers;
  /**
   * Fields for the access log, the ledger and the span. Read when the request ends, before any `settle`: until then the
   * plugin can add to them.
   * @example annotations: { log: { team }, tags: { team } }
   */
  readonly annotations?: Annotations;
  /**
   * The limits that the request was checked against, with their figures at that time, for its page in the dashboard. At
   * most one plugin has it. Called up to a second after the end, for at most 400 requests a second.
   * @example admitted: () => rules.map((rule) => readAdmitted(rule))
   */
  admitted?(): readonly AdmittedLimit[];
  /**
   * Called once when the request ends, with the final figures: plugins in the reverse of their order, none waits for
   * another. The last byte of the response is sent afterwards, but does not wait for a promise. What `settle` has
   * queued with `setImmediate` runs before it, so that what many exchanges write is one call.
   * @example settle: ({ cost }) => budget.settle(reserved, cost)
   */
  settle?(outcome: Outcome): void | Promise<void>;
}

/** A limit as it was when a request was admitted. Figures are in the unit of the limit, as its `amount`. */
export interface AdmittedLimit {
  readonly scope: LimitScope;
  /** The name of the key, project or organization. */
  readonly name: string;
  readonly limit: Limit;
  /** What was reserved for the request. */
  readonly reserves: number | undefined;
  /** What was left after that. */
  readonly remaining: number | undefined;
  /** Of money: what was spent before, without what others had reserved. */
  readonly spent: number | undefined;
  readonly resetMs: number | undefined;
  /** It would have refused the request if it were enforced. */
  readonly shadowed: boolean;
}
