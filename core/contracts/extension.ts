import type { Headers, Operation, WireName } from '../canonical/wire.ts';
import type { AdminRouter } from './admin.ts';
import type { SpendingQuery } from './caller.ts';
import type { UploadContent } from '../canonical/operation/upload.ts';

/** A problem in the settings of an extension that its JSON Schema cannot express. Returned by `check`. */
export interface OptionFinding {
  /** Keys and list indexes below `config`. */
  readonly path: readonly (string | number)[];
  /** One sentence that states the valid form. It must not quote values that could be secret. */
  readonly message: string;
  /** Default `error`, which refuses the configuration. `advice` is reported by `koine check --audit` only. */
  readonly severity?: 'error' | 'warning' | 'advice';
}

/** The parts of the configuration that `check` can compare settings with. */
export interface CheckedCatalog {
  /** Ids of the models in the file. */
  readonly models: readonly string[];
  /**
   * By model id: the number of its targets, and the longest `firstByte` timeout of the targets before the last, in
   * milliseconds.
   */
  readonly timeouts?: Readonly<Record<string, { readonly targets: number; readonly firstByteMs: number }>>;
  /** By model id: its targets, as `provider/model`. */
  readonly targets?: Readonly<Record<string, readonly string[]>>;
}

/** What `koine init` writes for a provider into a new configuration. */
export interface ProviderInit {
  /**
   * Environment variables that can hold its `apiKey`; the first one that is set is written. Empty: the provider needs
   * no key, and is written only if no other provider can be.
   */
  readonly env: readonly string[];
  /** The models to write; the first one is the suggested one. */
  readonly models: readonly InitModel[];
}

/** A model in a new configuration. */
export interface InitModel {
  /** Name at the vendor. */
  readonly name: string;
  /**
   * The name that all vendors of the model have in common; absent: `name`. With the keys of two such vendors, a model
   * with both as targets is written.
   */
  readonly as?: string;
  /**
   * The vendor's first choice for a purpose. With the keys of two vendors, a model with the choices of both as targets
   * is written.
   */
  readonly role?: 'strong' | 'fast';
  /** Wires whose clients can use it; absent: the default of the catalog. */
  readonly wires?: readonly WireName[];
}

/** What `koine init` writes for a plugin into a new configuration. */
export interface PluginInit {
  /** Plugins are written in ascending order of this number. Their order is the order in which their hooks run. */
  readonly position: number;
  /** One sentence on what the plugin does. */
  readonly comment: string;
}

/** An option of a command: how it is read, and what `--help` and the completion of shells show of it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  /** What it does, in a phrase, with the unit of its value. */
  readonly description: string;
  /** What its value is, in capitals: `FILE`. */
  readonly value?: string;
  /** The values it can have. */
  readonly choices?: readonly string[];
  readonly default?: string | boolean;
  /** Whether it can be repeated. */
  readonly multiple?: boolean;
  readonly required?: boolean;
}

/** A command of a plugin: `koine <plugin> <name>`. */
export interface PluginCommand<Options = unknown> {
  /** One sentence for `--help`. */
  readonly summary: string;
  /** The arguments, as `--help` shows them. `--config FILE` is handled by the gateway and not passed on. */
  readonly usage: string;
  /** Its options, by name, which `--help` describes. They have the form of `parseArgs` in `node:util`. */
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Of a built-in plugin: it is `koine <command>`, without the name of the plugin. */
  readonly topLevel?: boolean;
  /**
   * @returns the exit code: 0 for success, 1 for findings
   * @throws GatewayError `invalid_request` for wrong arguments: exit code 2
   * @example run: async ([day], { print }) => { print(await report(day)); return 0; }
   */
  run(args: readonly string[], context: CommandContext<Options>): Promise<number>;
}

/** The environment of a plugin command. No gateway is running in its process. */
export interface CommandContext<Options = unknown> {
  /** The `config` of the plugin. */
  readonly options: Options;
  /** `store.database`. */
  readonly databaseUrl: string;
  /** Names of the configured providers. */
  readonly providers: readonly string[];
  /** Writes a line to standard output. */
  print(text: string): void;
}

/** The input of `OfferList.buildRequest`: a page of the list. */
export interface OfferCall {
  /** Id of the credential. */
  readonly credential: string;
  /** `next` of the page before; absent for the first page. */
  readonly after?: string;
  readonly signal: AbortSignal;
}

/** A page of a vendor's list of models. */
export interface OfferPage {
  readonly models: readonly OfferedModel[];
  /** Selects the next page; absent on the last one. */
  readonly next?: string;
}

/** A model in a vendor's list. */
export interface OfferedModel {
  /** As targets name it. */
  readonly name: string;
  /** What it can be called for; empty: nothing that the gateway does, such as speech. Absent: unknown. */
  readonly operations?: readonly Operation[];
  readonly contextTokens?: number;
  readonly maxOutput?: number;
  /** The date on which the vendor plans to end it: `2027-01-31`. */
  readonly ends?: string;
}

/** An HTTP request to an upstream. */
export interface UpstreamRequest {
  /** Default `POST`. */
  readonly method?: 'GET' | 'DELETE';
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** A form, which is sent in the place of the body. Set by core. */
  readonly upload?: UploadContent;
}

/** An HTTP response of an upstream. */
export interface UpstreamReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends an HTTP request. Its deadlines are those of the signal; it has none of its own.
 * @throws GatewayError `upstream_unreachable`, `upstream_tls`, `upstream_reset` or `upstream_bad_response`
 * @throws the reason of the signal if it aborts
 */
export type Transport = (request: UpstreamRequest, signal: AbortSignal) => Promise<UpstreamReply>;

/** A call with the id of a stored response. */
export interface StoredCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the path of the wire: `/resp_1/cancel`. Encoded. */
  readonly path: string;
  /** As the client sent it, without the question mark and without its key; empty: none. */
  readonly query: string;
  /** Id of the credential. */
  readonly credential: string;
  readonly signal: AbortSignal;
}

/** The calls to what a vendor stores for clients of one wire. */
export interface StoredCalls {
  readonly wire: WireName;
  /** @example buildRequest: ({ method, path, credential }) => addressOf(`/v1/slips${path}`, method, credential) */
  buildRequest(call: StoredCall): UpstreamRequest | Promise<UpstreamRequest>;
}

/** The state of one vendor limit on a credential. */
export interface UpstreamLimit {
  /** `requests`, `tokens`, `input_tokens` or `output_tokens`. */
  readonly unit: string;
  readonly limit: number;
  readonly remaining: number;
}

/** One credential (API key) of a provider. */
export interface Credential {
  /** Identifies the credential in logs and circuit breakers. Never the secret. */
  readonly id: string;
  /** Changes with the secret, and reveals nothing about it. A new version starts with a closed circuit. Not logged. */
  readonly version?: string;
  /** Why the credential cannot be used, e.g. "OPENAI_API_KEY is not set". */
  readonly unavailable?: string;
  /** Called before each attempt: a promise while the secret is loaded. @throws GatewayError: the attempt fails */
  ready?(): Promise<void> | undefined;
  /** Loads a refused secret again. If `version` has changed, the call is repeated once. @example renew: token.renew */
  renew?(): Promise<void>;
}

/** The primary instance of a plugin: its hooks in the main thread, once per host. */
export interface PrimaryInstance {
  /**
   * Handles `services.primary.call` of a worker. Messages and results are cloned (`structuredClone`). The worker gets
   * what it throws.
   * @example handle: (message, worker) => counts.reserve(worker, message as Reservation)
   */
  handle?(message: unknown, worker: number): unknown;
  /**
   * Called when a worker thread has ended: release what it held.
   * @example onWorkerExit: (worker) => counts.releaseAll(worker)
   */
  onWorkerExit?(worker: number): void;
  /**
   * Adds pages and calls to the admin listener; requests are authenticated before they reach them.
   * @example admin: (router) => router.get('/counts', () => ({ body: counts.list() }))
   */
  admin?(router: AdminRouter): void;
  /**
   * Returns past spending in nano-dollars, for plugins whose counters start empty. At most one plugin has it (the
   * ledger).
   * @example spent: (query) => database.sumOfCosts(query)
   */
  spent?(query: SpendingQuery): Promise<bigint>;
  /**
   * Called when the ledger has found earlier spending, e.g. of a gateway that was killed: results of `services.spent`
   * are outdated.
   * @example onSpendingFound: () => budgets.reloadBaselines()
   */
  onSpendingFound?(): void;
  /**
   * Called at shutdown and after a reload.
   * @example close: () => database.close()
   */
  close?(): Promise<void>;
}
