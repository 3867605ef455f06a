import type { Headers, JsonObject } from '../canonical/wire.ts';
import type { EndpointRouter } from './admin.ts';
import type { Admission, CacheAccount, Charge, EndedRequest } from './outcome.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { Answer, Attempt, Guard, Order, Send, Strategy } from './attempt.ts';
import type { Caller } from './caller.ts';
import type { Draft, Exchange, ExchangeOf, MiddlewareContext, RequestHead, Rewrite } from './exchange.ts';
import type { CheckedCatalog, OptionFinding, PluginCommand, PluginInit, PrimaryInstance } from './extension.ts';
import type { Fit } from './fit.ts';
import type { LiveServices, PrimaryServices, Services } from './services.ts';

/** What a plugin module exports, by {@link definePlugin}. */
export interface PluginDefinition<Options = unknown> {
  readonly kind: 'plugin';
  readonly apiVersion: 1;
  /** Default name in logs and metrics. */
  readonly name: string;
  /**
   * JSON Schema (draft-07) of the plugin's `config`. Defaults in it are filled in.
   * @example schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }
   */
  readonly schema: JsonObject;
  /**
   * Settings of the gateway that the plugin enforces. `limits` in a file without a plugin for them are an error.
   * @example enforces: ['limits']
   */
  readonly enforces?: readonly 'limits'[];
  /**
   * Absent: `koine init` does not write the plugin.
   * @example init: { position: 40, comment: 'Counts the requests of each team.' }
   */
  readonly init?: PluginInit;
  /**
   * Reports invalid settings that the schema cannot express. Called while the configuration is loaded. Pure, without
   * I/O.
   * @example check: ({ zone }) => (isTimeZone(zone) ? [] : [{ path: ['zone'], message: 'zone must be a time zone.' }])
   */
  check?(options: Options, catalog: CheckedCatalog): readonly OptionFinding[];
  /**
   * Called by `koine check --live`: tries the services that the settings name. Each finding says of one of them why it
   * cannot be used.
   * @example
   * checkLive: async ({ url }, { fetch }) => {
   *   const { status } = await fetch(url, { timeoutMs: 5_000 });
   *   return status === 200 ? [] : [{ path: ['url'], message: `it responds with status ${status}` }];
   * }
   */
  checkLive?(options: Options, services: LiveServices): Promise<readonly OptionFinding[]>;
  /**
   * Commands by name: `koine <plugin> <command>`.
   * @example commands: { report: { summary: 'Prints the counts of a day.', usage: '[DAY]', run: printReport } }
   */
  readonly commands?: Readonly<Record<string, PluginCommand<Options>>>;
  /**
   * Creates the instance of a process. Called in each worker at start and at each reload. Throw to refuse to start.
   * @example create: ({ word }, { log }) => ({ fits: [createRedaction(word, log)] })
   */
  create(options: Options, services: Services): PluginInstance | Promise<PluginInstance>;
  /**
   * Creates the primary instance: one per host, in the main thread. For state that must be exact or complete across
   * workers without a shared store.
   * @example primary: (_options, { shared }) => createCounter(shared('counter/counts', () => new Map()))
   */
  primary?(options: Options, services: PrimaryServices): PrimaryInstance | Promise<PrimaryInstance>;
}

/** The hooks of a plugin. All are optional. Plugins run in the order of `gateway.yaml`; each hook has a deadline. */
export interface PluginInstance {
  /**
   * Middleware around the whole HTTP request, for concerns of HTTP only (CORS, address lists, additional headers). Set
   * headers before `next()`: when it resolves, the response has been sent.
   * @throws GatewayError, or `context.throw(4xx)`, to refuse the request, in the wire of its route
   * @example middleware: async (context, next) => { context.set('x-served-by', host); await next(); }
   */
  middleware?: (context: MiddlewareContext, next: () => Promise<void>) => Promise<void>;
  /**
   * Called before the body is read. The first plugin to return a caller wins; undefined passes on to the next one. If
   * none returns a caller, the request is refused with 401.
   * @throws GatewayError to refuse the request
   * @example identify: ({ headers }) => callers.get(headers['x-api-key'] ?? '')
   */
  identify?(head: RequestHead): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Called after `identify` and before the body is read. Synchronous. Its admission is settled once when the request
   * ends, even if the body is invalid or never arrives, and before those of `admit` and `admitDirect`.
   * @throws GatewayError to refuse the request
   * @example enter: (_head, { key }) => { count(key, 1); return { settle: () => count(key, -1) }; }
   */
  enter?(head: RequestHead, caller: Caller): Admission | undefined;
  /**
   * Called after the request is decoded, before its model is selected: for models of a team, prompt policies and
   * guardrails. The access log keeps the model that the client named (`model_requested`).
   * @throws GatewayError to refuse the request
   * @example rewrite: ({ model, caller }) => (model === 'team' ? { model: modelOf(caller.project) } : undefined)
   */
  rewrite?(draft: Draft): Rewrite | undefined | Promise<Rewrite | undefined>;
  /**
   * Called after the request is decoded and its targets are selected. Its admission is settled when the exchange ends.
   * @throws GatewayError to refuse the exchange; admissions so far are settled
   * @example
   * admit: async ({ caller, estimate }) => {
   *   const reservation = await reserve(caller.key, estimate.inputTokens);
   *   return { settle: ({ usage }) => reservation.settle(usage) };
   * }
   */
  admit?(exchange: Exchange): Admission | undefined | Promise<Admission | undefined>;
  /**
   * Called when the request of a background response has ended, in the process that follows the response: another one
   * if that of the request has died. `exchange` has no text of the request. The admission is settled with the figures
   * of the response, or with an outcome that `continues` if another process follows it from then on.
   * @param openedAt when the request arrived, in unix milliseconds
   * @example resume: ({ caller }, openedAt) => ({ settle: ({ cost }) => note(caller.key, openedAt, cost) })
   */
  resume?(exchange: Exchange, openedAt: number): Admission | undefined | Promise<Admission | undefined>;
  /**
   * Called when all plugins have admitted the exchange: a response of the plugin's own. The first one wins: no attempt
   * is made, so nothing is charged.
   * @throws GatewayError to refuse the exchange
   * @example answer: (exchange) => stored.get(keyOf(exchange))
   */
  answer?(exchange: Exchange): Answer | undefined | Promise<Answer | undefined>;
  /**
   * Called in place of `admit` for models lists and endpoints of plugins. Settled when the response is ready.
   * @throws GatewayError to refuse the request
   * @example admitDirect: (_head, { key }) => { count(key, 1); return { settle: () => count(key, -1) }; }
   */
  admitDirect?(head: RequestHead, caller: Caller): Admission | undefined | Promise<Admission | undefined>;
  /**
   * Wraps every attempt. Called once at load with the next `Send` of the chain; what it returns is called per attempt.
   * @example
   * interceptor: (next) => (attempt) => next({ ...attempt, headers: { ...attempt.headers, 'x-trace': newId() } })
   */
  interceptor?(next: Send): Send;
  /**
   * Chooses targets and credentials, and how often to try. At most one plugin has it.
   * @example
   * strategy: async ({ targets }, attempt) => {
   *   let failure = new GatewayError('service_unavailable');
   *   for (const target of targets)
   *     for (const credential of target.credentials)
   *       try {
   *         return await attempt(target, credential);
   *       } catch (error) {
   *         failure = toGatewayError(error);
   *       }
   *   throw failure;
   * }
   */
  strategy?: Strategy;
  /**
   * Called by the strategy for each exchange: a router that keeps the retries, circuits and cooldowns of failover. A
   * target that fails or rests is moved back afterwards. Synchronous. Each plugin gets the order of those before it.
   * @example
   * order: ({ caller }, targets) =>
   *   caller.tags?.['tier'] === 'batch' ? targets.toSorted((one, other) => costOf(one) - costOf(other)) : targets
   */
  readonly order?: Order;
  /**
   * Translation rules, after those of the core.
   * @example fits: [defineFit({ name: 'redact', fit: redactRequest })]
   */
  readonly fits?: readonly Fit[];
  /**
   * Called per attempt, before it is sent: the guard that inspects its response. An exchange with a guard takes the
   * translated lane. Synchronous. Content of requests is inspected by `rewrite`.
   * @example guard: ({ caller }) => (caller.project === 'kiosk' ? { window: word.length - 1, inspect } : undefined)
   */
  guard?(exchange: ExchangeOf<'generate'>): Guard | undefined;
  /**
   * Called with status and headers of every upstream response, successful or not, when they arrive.
   * @example onResponseHeaders: ({ target }, _status, headers) => note(target.id, headers['x-ratelimit-remaining'])
   */
  onResponseHeaders?(attempt: Attempt, status: number, headers: Headers): void;
  /**
   * Called when an attempt has ended, before or after commit: for circuit breakers, attempt metrics, spans.
   * @example observe: (_exchange, { target, failure }) => { if (failure !== undefined) failures.add(target); }
   */
  observe?(exchange: Exchange, attempt: AttemptRecord): void;
  /**
   * Called once for every request that has ended, including those refused before `admit`. Every `settle` has been
   * called by then; those that return a promise may be under way.
   * @example ended: ({ head, outcome }) => requests.bind([head.route.path, outcome.result])(1)
   */
  ended?(ended: EndedRequest): void;
  /**
   * Called before the outcome is frozen: what the prompt cache saved or lost. At most one plugin has it.
   * @example account: (_exchange, charges) => ({ saved: savingsOf(charges), lost: 0n })
   */
  account?(exchange: Exchange, charges: readonly Charge[]): CacheAccount | undefined;
  /**
   * Registers endpoints on the data listener for authenticated callers. Called once at load.
   * @example endpoints: (router) => router.get('/v1/usage', async ({ caller }) => ({ body: await usageOf(caller) }))
   */
  endpoints?(router: EndpointRouter): void;
  /**
   * Called by `koine explain`: what the plugin would do with the exchange, as plain data. Changes nothing. The strategy
   * can return `candidates`, a list of `Standing` with the best first; it orders the targets of the explanation.
   * @param order the `order` hooks of all plugins. Absent: none has one
   * @example explain: ({ caller }) => ({ remaining: remainingOf(caller.key) })
   */
  explain?(exchange: Exchange, order?: Order): unknown;
  /**
   * Called at shutdown and after a reload, when the last exchange of this instance has ended.
   * @example close: () => pool.end()
   */
  close?(): Promise<void>;
}

/**
 * Declares a plugin: an identity function that checks its type.
 * @example
 * export default definePlugin<{ readonly word: string }>({
 *   kind: 'plugin',
 *   apiVersion: 1,
 *   name: 'redact',
 *   schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
 *   create: ({ word }) => ({ fits: [createRedaction(word)] }),
 * });
 */
export const definePlugin = <Options>(definition: PluginDefinition<Options>): PluginDefinition<Options> => definition;
