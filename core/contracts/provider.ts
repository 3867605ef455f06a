import type { Lose } from '../canonical/loss.ts';
import type { Origin } from '../canonical/proof.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { Headers, JsonObject, Operation, WireName } from '../canonical/wire.ts';
import type { ModelFamily } from './capabilities.ts';
import type { AnyCodec, Classify } from './codec.ts';
import type {
  CheckedCatalog,
  Credential,
  OfferCall,
  OfferPage,
  OptionFinding,
  ProviderInit,
  UpstreamLimit,
  StoredCalls,
  Transport,
  UpstreamRequest,
} from './extension.ts';
import type { Framing } from './framing.ts';
import type { BodyEdit } from './native.ts';
import type { ShippedPrice } from './price.ts';
import type { Services } from './services.ts';

/** What a provider module exports, by {@link defineProvider}. A provider connects a vendor or server. */
export interface ProviderDefinition<Options = unknown> {
  readonly kind: 'provider';
  readonly apiVersion: 1;
  readonly name: string;
  /**
   * JSON Schema (draft-07) of `providers.<name>.config`. Defaults in it are filled in.
   * @example schema: { type: 'object', properties: { apiKey: { type: 'string' } } }
   */
  readonly schema: JsonObject;
  /**
   * Registered even if no provider of this kind is configured: clients can use messages in front of OpenAI alone.
   * @example codecs: [slips]
   */
  readonly codecs?: readonly AnyCodec[];
  /** @example framings: [lengthPrefixed] */
  readonly framings?: readonly Framing[];
  /**
   * Capabilities of the vendor's models.
   * @example models: [{ prefix: 'acme-large', capabilities: { maxOutput: 8_192, vision: false } }]
   */
  readonly models?: readonly ModelFamily[];
  /**
   * Prices of the vendor's models. Prices in the configuration take precedence.
   * @example
   * prices: [
   *   { models: ['acme-large'], price: { input: 2.5, output: 10 }, page: 'https://acme.test/prices', seen: '2026-11-21' },
   * ]
   */
  readonly prices?: readonly ShippedPrice[];
  /**
   * Members of a request, at the top level or in `extra_body`, with which this vendor would choose other models,
   * providers or addresses. Refused in any spelling. The settings `refuseMembers` and `acceptMembers` change the list.
   * @example refuses: ['models', 'route']
   */
  readonly refuses?: readonly string[];
  /**
   * Absent: `koine init` does not write the provider.
   * @example init: { env: ['ACME_API_KEY'], models: [{ name: 'acme-large' }] }
   */
  readonly init?: ProviderInit;
  /**
   * Reports invalid settings that the schema cannot express. Called while the configuration is loaded, without I/O.
   * @example
   * check: ({ region }) => (isRegion(region) ? [] : [{ path: ['region'], message: 'region must be a region.' }])
   */
  check?(options: Options, catalog: CheckedCatalog): readonly OptionFinding[];
  /**
   * Creates the instance of a process. Called at start and at each reload. Throw to refuse to start.
   * @example create: ({ apiKey }) => ({ credentials: [{ id: 'default' }], endpoint: endpointWith(apiKey) })
   */
  create(options: Options, services: Services): ProviderInstance | Promise<ProviderInstance>;
}

/** A provider as configured: its credentials and endpoints. */
export interface ProviderInstance {
  /**
   * Usable in turn. Empty: the provider is unavailable.
   * @example credentials: readApiKeys({ apiKey }, services).credentials
   */
  readonly credentials: readonly Credential[];
  /**
   * Called once per target, when its model is first used. Create URLs, static headers and connection pools here.
   * @example endpoint: (model) => ({ wires: wiresOf(model), origin: { provider: 'acme', family: 'acme' } })
   */
  endpoint(model: string): Endpoint;
  /**
   * The vendor's list of models. Absent: it has none.
   * @example modelList: { buildRequest: addressOf('/v1/models'), read: (body) => ({ models: readNames(body) }) }
   */
  readonly modelList?: OfferList;
  /**
   * Where clients find what the vendor stores for them, for each wire that has such calls. Absent: nowhere.
   * @example stored: [createStoredCalls('slips', addressOf('/v1/slips'))]
   */
  readonly stored?: readonly StoredCalls[];
  /**
   * Called at shutdown and after a reload, when the last exchange of this instance has ended.
   * @example close: () => pool.close()
   */
  close?(): Promise<void>;
}

/** How a model at a provider is reached. */
export interface Endpoint {
  /**
   * The wires on which it can be called.
   * @example wires: [{ operation: 'generate', wire: 'chat-completions', buildRequest }]
   */
  readonly wires: readonly EndpointWire[];
  /** @example origin: { provider: 'acme', family: 'acme' } */
  readonly origin: Origin;
  /**
   * Chooses the wire per request. Absent: the client's wire if the endpoint has it, otherwise the first.
   * @example chooseWire: ({ tools }, clientWire) => (tools.length > 0 ? 'responses' : clientWire)
   */
  chooseWire?(request: GenerateRequest, clientWire: WireName): WireName;
  /**
   * According to its documentation, the vendor bills a cancelled call only for what it had generated. Such calls are
   * cancelled as soon as the client disconnects. Absent: unknown, so the response is read on for a bounded time to
   * learn its usage (`server.readOn`).
   */
  readonly cancelEndsCharges?: boolean;
}

/** One wire of an endpoint, and how the server deviates from it. */
export interface EndpointWire {
  readonly operation: Operation;
  readonly wire: WireName;
  /** Framing of streamed responses; default `sse`. @example framing: 'ndjson' */
  readonly framing?: string;
  /**
   * Returns changes to an encoded body, on both lanes: Mistral renames `seed`. Removing a member is a loss.
   * @example edits: ({ seed }) => [{ member: 'random_seed', value: seed }, { member: 'seed', value: undefined }]
   */
  edits?(
    body: Readonly<JsonObject>,
    request: { readonly stream: boolean; readonly headers: Headers; readonly lose: Lose },
  ): readonly BodyEdit[];
  /**
   * Builds the HTTP request. Called last, per upstream call: the bytes are final, so that they can be signed (SigV4).
   * @throws GatewayError if the request cannot be built; the attempt fails
   * @example
   * buildRequest: ({ body, headers, credential }) => ({
   *   origin: 'https://api.example.com', path: '/v1/chat/completions', body,
   *   headers: { ...headers, authorization: `Bearer ${keys[credential]}` },
   * })
   */
  buildRequest(call: UpstreamCall): UpstreamRequest | Promise<UpstreamRequest>;
  /** Complete streams of this server can lack a finish reason. Otherwise such a stream counts as truncated. */
  readonly omitsFinish?: boolean;
  /** Response header with the server's id of the call; default `x-request-id`. @example requestIdHeader: 'x-id' */
  readonly requestIdHeader?: string;
  /** Texts of this server start with the reasoning, in the tags of `<think>`. Otherwise the tags are text. */
  readonly thinkTags?: boolean;
  /**
   * The member from which this server reads the output cap, if the wire has several. It ignores the others.
   * @example capMember: 'max_completion_tokens'
   */
  readonly capMember?: string;
  /**
   * The member from which this server reads the effort, if the wire has several.
   * @example effortMember: 'reasoning_effort'
   */
  readonly effortMember?: string;
  /**
   * The path of the member from which this server reads a number of reasoning tokens, if the wire has none.
   * @example budgetMember: 'reasoning.max_tokens'
   */
  readonly budgetMember?: string;
  /** This server refuses `stream_options`, with which a streamed request asks for its usage. */
  readonly refusesUsageOption?: boolean;
  /** The native lane passes the usage of this server on as it is: neither corrected nor added. */
  readonly keepsUsage?: boolean;
  /** The server holds nothing between requests: those that refer to an earlier one (`vendorState`) are refused. */
  readonly stateless?: boolean;
  /** The vendor can continue a response after its call (`background`). Absent: such requests are refused. */
  readonly background?: boolean;
  /** The most texts that one call embeds. A request with more of them becomes several calls. @example maxInputs: 96 */
  readonly maxInputs?: number;
  /** The largest file of speech in a body of JSON, in bytes: others are refused. @example maxAudioBytes: 14_000_000 */
  readonly maxAudioBytes?: number;
  /** The vendor bills one search for a prompt, however many searches it caused. Otherwise it bills each of them. */
  readonly billsOneSearch?: boolean;
  /** `false`: the server does not stream, so `encodeAsStream` writes what clients stream. @example streams: false */
  readonly streams?: false;
  /** `false`: the vendor searches the web for the model on another wire only. */
  readonly webSearch?: boolean;
  /**
   * Classifies failures that the wire alone cannot distinguish. Called before the codec's `decodeError`.
   * @example classify: ({ status, body }) => (status === 400 && isInvalidKey(body) ? 'credential' : undefined)
   */
  classify?: Classify;
  /**
   * Reads the remaining vendor limits from the headers of a response, so that a target is spared before it refuses.
   * @example readLimits: createLimitReader([{ unit: 'requests', limit: 'x-limit', remaining: 'x-remaining' }])
   */
  readLimits?(headers: Headers): readonly UpstreamLimit[];
  /**
   * Replaces the HTTP client (undici): the simulator responds within the process.
   * @example send: async ({ path, body }) => ({ status: 200, headers: {}, body: replay(path, body) })
   */
  readonly send?: Transport;
}

/** The input of `buildRequest`: one upstream call. */
export interface UpstreamCall {
  /** Name of the model at the provider. */
  readonly model: string;
  readonly stream: boolean;
  readonly body: Uint8Array;
  /** From the codec, or forwarded from the client. */
  readonly headers: Headers;
  /** Id of the credential. */
  readonly credential: string;
  readonly signal: AbortSignal;
}

/** The list of models at a vendor: `koine doctor` and `koine catalog sync` read it. */
export interface OfferList {
  /** @example buildRequest: ({ credential }) => ({ method: 'GET', ...addressOf('/v1/models', credential) }) */
  buildRequest(call: OfferCall): UpstreamRequest | Promise<UpstreamRequest>;
  /**
   * Reads a page: the JSON of a response with the status 200.
   * @example read: (body) => ({ models: readNames(body).map((name) => ({ name })) })
   */
  read(body: unknown): OfferPage;
}

/**
 * Declares a provider: an identity function that checks its type.
 * @example
 * export default defineProvider<{ readonly apiKey?: string }>({
 *   kind: 'provider', apiVersion: 1, name: 'acme',
 *   schema: { type: 'object', properties: { apiKey: { type: 'string' } } },
 *   create: ({ apiKey }) => ({
 *     credentials: apiKey === undefined ? [] : [{ id: 'default' }],
 *     endpoint: () => ({
 *       origin: { provider: 'acme', family: 'acme' },
 *       wires: [{ operation: 'generate', wire: 'chat-completions', buildRequest: buildRequestWith(apiKey) }],
 *     }),
 *   }),
 * });
 */
export const defineProvider = <Options>(definition: ProviderDefinition<Options>): ProviderDefinition<Options> =>
  definition;
