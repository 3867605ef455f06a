import type { Lose } from '../canonical/loss.ts';
import type { Media, Part } from '../canonical/part.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { WireTraits } from './capabilities.ts';
import type { HostedToolsPolicy } from './caller.ts';
import type { TargetProfile } from './codec-context.ts';
import type { EventFilter } from './codec.ts';

/** What a fit can use while it adapts one request. */
export interface FitContext {
  /** Reports a loss. */
  readonly lose: Lose;
  /** Traits of the client's wire; those of the target's wire are in its profile. */
  readonly client: WireTraits;
  /** Downloads media by URL. Each URL is fetched once per exchange, however many targets are tried. */
  readonly media?: (url: string) => Promise<Media>;
  /** Policy for tools that run at a vendor, where this target does not have them. Absent: `refuse`. */
  readonly hostedTools?: HostedToolsPolicy;
  /** As in the exchange: the most searches of a target that reads such a member, if the request sets none. */
  readonly hostedUses?: number;
  /** The path of a part in the client's request, e.g. `input[3].content[0]`; undefined for a part created by a fit. */
  readonly place?: (part: Part) => string | undefined;
  readonly signal: AbortSignal;
}

/** A request that a fit has changed. */
export interface Fitted {
  readonly request: GenerateRequest;
  /** Creates the filter that reverses the change in the response. Called once per response. */
  readonly reply?: () => EventFilter;
}

/**
 * A fit: one conditional translation rule. It adapts a canonical request to what a target supports, and reverses the
 * change in the response. Written once for all wires; runs on the translated lane. A plugin can contribute fits, so
 * that for example a redaction plugin works for every wire.
 */
export interface Fit {
  readonly name: string;
  /**
   * `generate`: the fit affects the response only, and is skipped when tokens are counted.
   * @example only: 'generate'
   */
  readonly only?: 'generate';
  /**
   * Called once per target at load. A fit that returns false is never called for this target.
   * @example applies: ({ capabilities }) => capabilities.prefill === false
   */
  applies?(profile: TargetProfile): boolean;
  /**
   * Called per attempt, in the order of registration.
   * @returns undefined if the request does not need to change
   * @throws GatewayError `unsupported_parameter` if the target cannot carry out the request
   * @example
   * fit(request, _profile, { lose }) {
   *   if (request.topK === undefined) return undefined;
   *   lose('top_k', 'dropped', 'the model does not accept it');
   *   return { request: { ...request, topK: undefined } };
   * }
   */
  fit(
    request: GenerateRequest,
    profile: TargetProfile,
    context: FitContext,
  ): Fitted | undefined | Promise<Fitted | undefined>;
}

/**
 * Declares a fit: an identity function that checks its type.
 * @example
 * export const dropSeed = defineFit({
 *   name: 'drop-seed',
 *   applies: ({ model }) => model.startsWith('acme-'),
 *   fit(request, _profile, { lose }) {
 *     if (request.seed === undefined) return undefined;
 *     lose('seed', 'dropped', 'the model does not accept it');
 *     return { request: { ...request, seed: undefined } };
 *   },
 * });
 */
export const defineFit = (fit: Fit): Fit => fit;
