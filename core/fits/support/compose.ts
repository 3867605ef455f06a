import type { GenerateRequest } from '../../canonical/request.ts';
import type { Operation } from '../../canonical/wire.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import type { Fit, FitContext, Fitted } from '../../contracts/fit.ts';

/** A request adapted to its target, and the filters that reverse the changes, in the order of the fits. */
export interface FittedRequest {
  readonly request: GenerateRequest;
  /** Empty if nothing has to be reversed. Each one is called once per response: see `composeFilters`. */
  readonly replies: readonly (() => EventFilter)[];
}

/**
 * The fits that can apply to this target and operation. Called once for each target, so that other fits cost nothing
 * per request.
 */
export const selectFits = (
  fits: readonly Fit[],
  profile: TargetProfile,
  operation: Operation = 'generate',
): readonly Fit[] =>
  fits.filter(({ only, applies }) => (only === undefined || only === operation) && applies?.(profile) !== false);

const NO_REPLIES: readonly (() => EventFilter)[] = [];

const isPending = (fitted: Fitted | undefined | Promise<Fitted | undefined>): fitted is Promise<Fitted | undefined> =>
  fitted instanceof Promise;

/** One step: the request after a fit. */
const addFitted = (before: FittedRequest, fitted: Fitted | undefined): FittedRequest => {
  if (fitted === undefined) return before;
  return {
    request: fitted.request,
    replies: fitted.reply === undefined ? before.replies : [...before.replies, fitted.reply],
  };
};

const applyFrom = (
  fits: readonly Fit[],
  index: number,
  before: FittedRequest,
  profile: TargetProfile,
  context: FitContext,
): FittedRequest | Promise<FittedRequest> => {
  let state = before;
  for (let next = index; next < fits.length; next += 1) {
    const fitted = fits[next]?.fit(state.request, profile, context);
    if (isPending(fitted)) {
      const waiting = state;
      return fitted.then((late) => applyFrom(fits, next + 1, addFitted(waiting, late), profile, context));
    }
    state = addFitted(state, fitted);
  }
  return state;
};

/**
 * Runs the fits in order. Returns a promise only if a fit does, because an unnecessary `await` costs a tick on the hot
 * path. Returns the same request object if no fit changes it.
 * @throws GatewayError `unsupported_parameter` if the target cannot carry out the request (a returned promise rejects
 * with it)
 */
export const applyFits = (
  fits: readonly Fit[],
  request: GenerateRequest,
  profile: TargetProfile,
  context: FitContext,
): FittedRequest | Promise<FittedRequest> => applyFrom(fits, 0, { request, replies: NO_REPLIES }, profile, context);
