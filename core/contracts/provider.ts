import type { Lose } from '../canonical/loss.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { Origin } from '../canonical/proof.ts';
import type { Headers, JsonObject, Operation, WireName } from '../canonical/wire.ts';
import type { ModelFamily } from './capabilities.ts';
import type { AnyCodec, BodyEdit, Classify } from './codec.ts';
import type { Framing } from './framing.ts';
import type { ProviderInit } from './init.ts';
import type { CheckedCatalog, OptionFinding } from './option-finding.ts';
import type { ShippedPrice } from './price.ts';
import type { Services } from './services.ts';

/** Somewhere to send to: endpoints, credentials, the wires it speaks, its named deviations. */
export interface ProviderDefinition<Options = unknown> {
  readonly kind: 'provider';
  readonly apiVersion: 1;
  readonly name: string;
  /** draft-07 JSON Schema of `providers.<name>.config`. */
  readonly schema: JsonObject;
  /** Static, so a wire exists although no provider of that vendor is configured (messages in front of OpenAI only). */
  readonly codecs?: readonly AnyCodec[];
  readonly framings?: readonly Framing[];
  /** What this vendor's models can do, by their names at the vendor. */
  readonly models?: readonly ModelFamily[];
  /** What they cost. A price of the configuration stands before it. */
  readonly prices?: readonly ShippedPrice[];
  /** Absent: `koine init` does not write it. */
  readonly init?: ProviderInit;
  /** What the schema cannot say of its settings, found while the configuration is loaded: pure, without I/O, given defaults filled in. */
  check?(options: Options, catalog: CheckedCatalog): readonly OptionFinding[];
  create(options: Options, services: Services): ProviderInstance | Promise<ProviderInstance>;
}

export interface Credential {
  /** Breakers and cooldowns are keyed by it; it appears in logs. Never the secret. */
  readonly id: string;
  /** Why it cannot be used, e.g. "OPENAI_API_KEY is not set". */
  readonly unavailable?: string;
}

export interface ProviderInstance {
  /** Several keys in rotation. An empty list = unavailable, and says so. */
  readonly credentials: readonly Credential[];
  /** Called once per target at load: URL, static headers and pool are made here, not per request. */
  endpoint(model: string): Endpoint;
  close?(): Promise<void>;
}

export interface Endpoint {
  readonly speaks: readonly Speech[];
  readonly origin: Origin;
  /** E.g. chat with tools to responses. Default: the client's wire if spoken, else the first. */
  choose?(request: GenerateRequest, clientWire: WireName): WireName;
}

/** How this endpoint speaks one wire: the named quirks have a home. */
export interface Speech {
  readonly operation: Operation;
  readonly wire: WireName;
  /** Framing of streamed answers; default `sse`. */
  readonly framing?: string;
  /**
   * After encoding or splicing, before the bytes are final: Vertex drops `model`, Mistral renames seed. On both lanes.
   * What is taken from the client by it is named through `lose`.
   */
  edits?(body: Readonly<JsonObject>, request: { readonly stream: boolean; readonly headers: Headers; readonly lose: Lose }): readonly BodyEdit[];
  /** Last: the bytes are final, so SigV4 can hash them; may await a token. */
  address(call: UpstreamCall): UpstreamRequest | Promise<UpstreamRequest>;
  /** Vendor first, codec second: Gemini's bad key is a 400, Groq's tool_use_failed is worth a retry. */
  classify?: Classify;
  /** What is left of the limits that the vendor tells of in the headers of every answer, so that a target is spared before it refuses. */
  readLimits?(headers: Headers): readonly UpstreamLimit[];
  /** Default undici. The simulator answers in process; tests cut streams here. */
  readonly send?: Transport;
}

/** One limit of a vendor on one credential. */
export interface UpstreamLimit {
  /** `requests`, `tokens`, `input_tokens`, `output_tokens`. */
  readonly unit: string;
  readonly limit: number;
  readonly remaining: number;
}

export interface UpstreamCall {
  readonly model: string;
  readonly stream: boolean;
  readonly body: Uint8Array;
  /** From the codec or the client's forwarded ones. */
  readonly headers: Headers;
  readonly credential: string;
  readonly signal: AbortSignal;
}
export interface UpstreamRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}
export interface UpstreamReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}
/** By the deadlines of its signal, and no others. @throws GatewayError `upstream_unreachable`, `upstream_tls`, `upstream_reset`, `upstream_bad_response`; the reason of the signal */
export type Transport = (request: UpstreamRequest, signal: AbortSignal) => Promise<UpstreamReply>;

export const defineProvider = <Options>(definition: ProviderDefinition<Options>): ProviderDefinition<Options> => definition;
