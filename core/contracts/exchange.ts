import type { Loss, LossPolicy } from '../canonical/loss.ts';
import type { Headers, JsonObject, Operation, WireName, StoredOperation } from '../canonical/wire.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { Attribution, Caller, HostedToolsPolicy } from './caller.ts';
import type { InboundRequest, RequestOf } from './codec-context.ts';
import type { Estimate } from './price.ts';
import type { CatalogModel, Target } from './target.ts';

/** What is known of a request before its body is read. */
export interface RequestHead {
  /** Assigned by the gateway. The client's own `x-request-id` stays in `headers`. */
  readonly id: string;
  readonly route: RouteInfo;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** IP address of the client. `x-forwarded-for` is used only if the request comes from a trusted proxy. */
  readonly address: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The route that a request matched. */
export interface RouteInfo {
  readonly path: string;
  /**
   * `endpoint`: an endpoint of a plugin. `background`: the end of a response after its request. `other`: no route
   * matched; `path` and `wire` are `other` as well.
   */
  readonly operation: Operation | StoredOperation | 'background' | 'models' | 'endpoint' | 'other';
  readonly wire: WireName;
}

/** What a middleware may use of an HTTP request and its response: a part of Koa's context, under Koa's names. */
export interface MiddlewareContext {
  readonly method: string;
  readonly path: string;
  /** Headers of the request, with names in lower case. */
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** The address of the client, as in {@link RequestHead}. */
  readonly ip: string;
  /** The id of the request, as in {@link RequestHead}. */
  readonly requestId: string;
  /**
   * Absent: no route of the configuration matches.
   * @example if (context.route?.operation === 'generate') context.set('x-generates', '1');
   */
  readonly route?: RouteInfo;
  /**
   * Values that middleware of several plugins share during the request.
   * @example context.state['team'] = team;
   */
  readonly state: Record<string, unknown>;
  /**
   * Status of a response that the middleware sends itself, without `next()`.
   * @example context.status = 204;
   */
  status: number;
  /**
   * Body of a response that the middleware sends itself: text, bytes, or a value that is written as JSON.
   * @example context.body = { state: 'maintenance' };
   */
  body: unknown;
  /**
   * A header of the request; empty if there is none.
   * @example const origin = context.get('origin');
   */
  get(name: string): string;
  /**
   * Sets a header of the response.
   * @example context.set('access-control-allow-origin', origin);
   */
  set(name: string, value: string): void;
  /**
   * Refuses the request. The client gets status and message if the status is 4xx.
   * @example context.throw(403, 'Requests from this address are not allowed.');
   */
  throw(status: number, message?: string): never;
}

/**
 * Computation that a plugin does for a request. It is bounded for one request, for a key and for the process
 * (`server.overload.steps`), whatever the pattern and the text.
 */
export interface Work {
  /**
   * Counts computation before it is done. One step takes some 10 ns: one character that one automaton reads. Called
   * once for each slice of work (a text, 100,000 characters), not for each character.
   * @throws GatewayError `request_too_large` if the request needs more than any may, `rate_limit_exceeded` or
   * `overloaded` if too much was computed in the last seconds. A plugin lets it pass: it refuses the request.
   * @example exchange.work.spend(text.length * automata.length);
   */
  spend(steps: number): void;
}

/**
 * An exchange: one client request and its response, from authentication to settlement. Hooks get the exchange once it
 * is complete, so that no member is undefined in `admit`.
 */
export interface ExchangeOf<O extends Operation> extends RequestHead {
  readonly operation: O;
  readonly caller: Caller;
  readonly inbound: InboundRequest;
  /** Catalog id, with aliases resolved. */
  readonly model: string;
  /** The request in canonical form. */
  readonly request: RequestOf<O>;
  /** Absent: neither a header nor the body nor the configuration names an end user or a tag. */
  readonly attribution?: Attribution;
  /** A plugin has changed the turns: the bytes of the client cannot be sent on. */
  readonly isRewritten?: true;
  /** Name of the framing of a streamed response to the client. */
  readonly framing: string;
  /** Candidates in the order of the configuration; never empty. */
  readonly targets: readonly Target[];
  /** Computed once, and used by limits, the ledger and token counting. */
  readonly estimate: Estimate;
  /** Policy for targets that would lose something of the request: the stricter of the route's and the key's. */
  readonly losses: LossPolicy;
  /** Policy for tools that run at a vendor, where a target does not have them. */
  readonly hostedTools: HostedToolsPolicy;
  /**
   * The most searches that are reserved, because a limit of cost applies: targets on another wire get the same cap.
   * Absent: no such limit applies, or the request has no hosted tool.
   */
  readonly hostedUses?: number;
  /** What the gateway has changed in the request, whatever its target. Absent: nothing. */
  readonly edits?: readonly Loss[];
  /** Absent: the request refers to nothing that is stored at a vendor. */
  readonly stored?: StoredObjects;
  /** Counts computation for this exchange. */
  readonly work: Work;
  /** Attempts that have ended, in order. */
  readonly attempts: readonly AttemptRecord[];
}

/** What a request refers to at a vendor: earlier responses, containers, files. */
export interface StoredObjects {
  readonly ids: readonly string[];
  /**
   * Where they were created. Only this credential of this provider finds them, so an attempt elsewhere fails as
   * unsuitable. Undefined: the gateway has no record of them.
   */
  readonly place:
    | {
        readonly provider: string;
        readonly credential: string;
        /** The first member of the request that refers to one of them. */
        readonly path: string;
      }
    | undefined;
}

/** A union, so that `exchange.operation === 'generate'` narrows `exchange.request` without a cast. */
export type Exchange = { [O in Operation]: ExchangeOf<O> }[Operation];

/** A decoded request whose model is not selected yet. */
export interface DraftOf<O extends Operation> extends RequestHead {
  readonly operation: O;
  readonly caller: Caller;
  readonly inbound: InboundRequest;
  /** The model as the client named it, or as an earlier plugin changed it. */
  readonly model: string;
  /** Its catalog id, with aliases resolved. Absent: there is no such model. */
  readonly catalogId?: string;
  /** The catalog, read only. `find` takes an id, an alias or a name that a wildcard matches. */
  readonly catalog: {
    find(name: string): CatalogModel | undefined;
    /** Those of the configuration, and those that are known to match its wildcards. */
    readonly models: readonly CatalogModel[];
  };
  /** The request in canonical form. */
  readonly request: RequestOf<O>;
  /** Counts computation for this request, together with that of its exchange. */
  readonly work: Work;
  /** An earlier plugin has changed the turns: the body no longer says what is sent. */
  readonly isRewritten?: true;
}

/**
 * A union, so that `draft.operation === 'generate'` narrows `draft.request` without a cast.
 * @example const turns = draft.operation === 'generate' ? draft.request.turns.length : 0;
 */
export type Draft = { [O in Operation]: DraftOf<O> }[Operation];

/** What a plugin changes of a request. Absent members stay as they are. */
export interface Rewrite {
  /**
   * A catalog id or an alias. The key must be allowed to use it.
   * @example model: 'acme/large'
   */
  readonly model?: string;
  /**
   * The changed request. Settings and tools are changed within the client's own bytes, so that the native lane remains
   * open. If turns are changed, the exchange takes the translated lane. `stream` and `wire` cannot be changed.
   * @example request: draft.operation === 'generate' ? { ...draft.request, maxTokens: 500 } : draft.request
   */
  readonly request?: Draft['request'];
  /**
   * The changed body, decoded again for both lanes. Not together with `request`, and not if `draft.isRewritten`.
   * @example body: { ...(draft.inbound.body as object), metadata: undefined }
   */
  readonly body?: Readonly<JsonObject>;
  /** @example route: { providers: ['acme'], losses: 'reject' } */
  readonly route?: {
    /** Only targets at these providers. */
    readonly providers?: readonly string[];
    /** A stricter policy than that of the route and of the key. */
    readonly losses?: LossPolicy;
  };
}
