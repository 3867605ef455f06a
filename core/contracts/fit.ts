import type { Lose } from '../canonical/loss.ts';
import type { Media, Part } from '../canonical/part.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import type { WireTraits } from './capabilities.ts';
import type { EventFilter, TargetProfile } from './codec.ts';

export interface FitContext {
  readonly lose: Lose;
  /** Of the client's wire; those of the target's are in its profile. */
  readonly client: WireTraits;
  /** Bytes behind a URL, fetched once per exchange however many targets are tried. */
  readonly media?: (url: string) => Promise<Media>;
  /** Where a part stood in the client's request, in the client's words, e.g. `input[3].content[0]`; unknown for a part that a fit has made. */
  readonly place?: (part: Part) => string | undefined;
  readonly signal: AbortSignal;
}

export interface Fitted {
  readonly request: GenerateRequest;
  /** The inverse, made once per answer. State shared by request and answer lives in its closure. */
  readonly reply?: () => EventFilter;
}

/**
 * One conditional translation rule: it bends a canonical request to a target and undoes it on the way back.
 * Written once for all wires. A plugin may contribute fits: that is how a redacting plugin works on every wire.
 */
export interface Fit {
  readonly name: string;
  /** `generate`: it concerns the answer alone, and has no say where tokens are counted. */
  readonly only?: 'generate';
  /** Asked once per target at load; a rule that can never apply costs nothing per request. */
  applies?(profile: TargetProfile): boolean;
  /**
   * `undefined`: nothing to change.
   * @throws GatewayError `unsupported_parameter` when the target cannot carry the request
   */
  fit(
    request: GenerateRequest,
    profile: TargetProfile,
    context: FitContext,
  ): Fitted | undefined | Promise<Fitted | undefined>;
}

export const defineFit = (fit: Fit): Fit => fit;
