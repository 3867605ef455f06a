import type { Headers, JsonObject } from '../canonical/wire.ts';
import type { LimitFigures } from '../errors/limit-figures.ts';
import type { AdminRouter } from './admin.ts';
import type { Caller } from './caller.ts';
import type { PluginCommand } from './command.ts';
import type { EndpointRouter } from './endpoint.ts';
import type {
  Attempt,
  AttemptRecord,
  CacheAccount,
  Charge,
  EndedRequest,
  Exchange,
  Outcome,
  RequestHead,
  Target,
} from './exchange.ts';
import type { Fit } from './fit.ts';
import type { PluginInit } from './init.ts';
import type { CheckedCatalog, OptionFinding } from './option-finding.ts';
import type { Reply } from './reply.ts';
import type { PrimaryServices, Services, SpendingQuery } from './services.ts';

/** Contributes to the phases of an exchange. */
export interface PluginDefinition<Options = unknown> {
  readonly kind: 'plugin';
  readonly apiVersion: 1;
  readonly name: string;
  /** draft-07 JSON Schema of the plugin's `config`. */
  readonly schema: JsonObject;
  /** What of the gateway's own settings it makes hold. `limits` in a file whose plugins enforce none are an error: they would silently do nothing. */
  readonly enforces?: readonly 'limits'[];
  /** Absent: `koine init` does not write it. */
  readonly init?: PluginInit;
  /** What the schema cannot say of its settings, found while the configuration is loaded: pure, without I/O, given defaults filled in. */
  check?(options: Options, catalog: CheckedCatalog): readonly OptionFinding[];
  /** `koine <plugin> <command>`, for those who keep something. */
  readonly commands?: Readonly<Record<string, PluginCommand<Options>>>;
  /** One per process and configuration. */
  create(options: Options, services: Services): PluginInstance | Promise<PluginInstance>;
  /** One per host, in the primary process (in the same process where there is one): for what must be exact or whole without a shared store. */
  primary?(options: Options, services: PrimaryServices): PrimaryInstance | Promise<PrimaryInstance>;
}

export interface PluginInstance {
  /**
   * The ordinary Koa onion around the whole exchange, in YAML order: for what is about HTTP only (CORS, address lists, extra headers).
   * Headers are set before `next()`: when it returns the answer has been sent.
   */
  middleware?: (context: unknown, next: () => Promise<void>) => Promise<void>;
  /** Before the body is read. First caller wins; undefined = not mine; none at all = 401. */
  identify?(head: RequestHead): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Right after the caller is known and before the body is read; YAML order. It answers at once, without a promise. Throws GatewayError to refuse.
   * What it returns is settled once, before what `admit` returned, however the request ends: also when its body is bad or never arrives.
   * @example enter: (_head, { key }) => (isBlocked(key) ? refuse() : undefined)
   */
  enter?(head: RequestHead, caller: Caller): Admission | undefined;
  /** After decode and target selection; YAML order. Throws GatewayError to refuse. Returns what undoes it. */
  admit?(exchange: Exchange): Admission | undefined | Promise<Admission | undefined>;
  /** Once per upstream call, inside the strategy; composed once at load. */
  interceptor?(next: Send): Send;
  /** At most one plugin: which target, which credential, how often. */
  strategy?: Strategy;
  readonly fits?: readonly Fit[];
  /** The status and headers of every upstream response, good or bad, as soon as they have arrived. */
  onResponseHeaders?(attempt: Attempt, status: number, headers: Headers): void;
  /** Every attempt that ended, before or after commit: breakers, cooldowns, attempt metrics, spans. */
  observe?(exchange: Exchange, attempt: AttemptRecord): void;
  /** Every request that ended, once, also those that were refused before anybody was asked to admit them. What was admitted is settled by then. */
  ended?(ended: EndedRequest): void;
  /** At most one plugin: what the prompt cache was worth, before the outcome is frozen and everyone settles on it. */
  account?(exchange: Exchange, charges: readonly Charge[]): CacheAccount | undefined;
  /** Calls on the data listener for those who have a key, beside the routes. */
  endpoints?(router: EndpointRouter): void;
  /**
   * What this plugin would do to the exchange, as plain data for `koine explain`. Changes nothing. The strategy may name `candidates` in it, a list
   * of `Standing`, the best first: they order the targets of the explanation, and say which of them would be skipped.
   */
  explain?(exchange: Exchange): unknown;
  close?(): Promise<void>;
}

export interface PrimaryInstance {
  /** Answers `services.primary.call` of a worker. Messages and answers are JSON. */
  handle?(message: unknown, worker: number): unknown;
  /** A worker is gone, with whatever it held. */
  onWorkerExit?(worker: number): void;
  /** Adds pages and calls to the admin listener, behind its guard. */
  admin?(router: AdminRouter): void;
  /** At most one plugin's: what has been spent, for whoever has to begin to count where others left off. */
  spent?(query: SpendingQuery): Promise<bigint>;
  /** The ledger has found what was spent earlier, by a gateway that was killed: who began to count with `services.spent` asks again. */
  onSpendingFound?(): void;
  close?(): Promise<void>;
}

/** `settle` exists exactly when the plugin admitted, holds its own state, and is called once, concurrently with the others'. */
export interface Admission {
  readonly limits?: LimitFigures;
  readonly headers?: Headers;
  settle?(outcome: Outcome): void | Promise<void>;
}

export type Send = (attempt: Attempt) => Promise<Reply>;
/** Makes one upstream call; rejects with GatewayError where nothing of an answer has reached the client. */
export type MakeAttempt = (target: Target, credential: string, details?: AttemptDetails) => Promise<Reply>;
export interface AttemptDetails {
  /** Milliseconds that the strategy has let pass before it, for the record. */
  readonly waitedMs?: number;
  /** Aborts the attempt, after commit too; it must abort whenever the exchange's own does. Default: the exchange's own. */
  readonly signal?: AbortSignal;
}
export type Strategy = (exchange: Exchange, attempt: MakeAttempt) => Promise<Reply>;

/** How the strategy sees one credential of a target. */
export interface Standing {
  /** Id of the target. */
  readonly target: string;
  readonly credential: string;
  /** `behind`: after all that are ready. `resting`: after all others, until `until`. */
  readonly state: 'ready' | 'behind' | 'resting';
  readonly reason?: string;
  /** ISO 8601. */
  readonly until?: string;
}

export const definePlugin = <Options>(definition: PluginDefinition<Options>): PluginDefinition<Options> => definition;
