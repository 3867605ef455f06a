import type { GenerateRequest } from '../../canonical/request.ts';
import type { Operation } from '../../canonical/wire.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import type { Fit, FitContext, Fitted } from '../../contracts/fit.ts';

/** A request bent to its target, and what undoes the bending on the answer, in the order of the fits. */
export interface FittedRequest {
  readonly request: GenerateRequest;
  /** Empty when nothing has to be undone. One call each per answer: see `composeFilters`. */
  readonly replies: readonly (() => EventFilter)[];
}

/** The fits that can ever apply to this target and operation. Asked once at load, so that a rule without a case costs nothing per request. */
export const selectFits = (
  fits: readonly Fit[],
  profile: TargetProfile,
  operation: Operation = 'generate',
): readonly Fit[] =>
  fits.filter(({ only, applies }) => (only === undefined || only === operation) && applies?.(profile) !== false);

const NO_REPLIES: readonly (() => EventFilter)[] = [];

const isPending = (fitted: Fitted | undefined | Promise<Fitted | undefined>): fitted is Promise<Fitted | undefined> =>
  fitted instanceof Promise;

/** One step of the walk: the request as the fit left it. */
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
 * Runs the fits in order. The answer is a promise only when a fit gave one: this is the hot path, and waiting for nothing costs a tick.
 * The request comes back as the same object when no fit had anything to do.
 * @throws GatewayError `unsupported_parameter` when the target cannot carry the request (the promise rejects where one is returned)
 */
export const applyFits = (
  fits: readonly Fit[],
  request: GenerateRequest,
  profile: TargetProfile,
  context: FitContext,
): FittedRequest | Promise<FittedRequest> => applyFrom(fits, 0, { request, replies: NO_REPLIES }, profile, context);
