import { isObject } from '../../canonical/json/members.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import type { Fit, Fitted } from '../../contracts/fit.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { callHook, describeValue, watchHook, type HookParts, type HookRules, type HookWatch } from './hook.ts';

const checkFitted = (result: Fitted | undefined): string | undefined => {
  if (result === undefined) return undefined;
  const { request, reply } = isObject(result) ? (result as Partial<Fitted>) : {};
  if (!isObject(request) || !Array.isArray(request.turns))
    return `${describeValue(result)}, not a fitted request or undefined`;
  return reply === undefined || typeof reply === 'function' ? undefined : `a reply that is ${describeValue(reply)}`;
};

const rules: HookRules<undefined, Fitted | undefined> = { check: checkFitted };

/** A filter cannot be skipped: content that it has filtered has been sent already. */
const watchFilter = (make: () => EventFilter, watch: HookWatch): EventFilter => {
  const rethrow = (thrown: unknown): never => {
    throw watch.judge(thrown);
  };
  try {
    const filter = make();
    return {
      push: (event, emit) => {
        try {
          filter.push(event, emit);
        } catch (thrown) {
          // The rest of the chain behind this filter throws GatewayErrors.
          if (GatewayError.is(thrown)) throw thrown;
          rethrow(thrown);
        }
      },
    };
  } catch (thrown) {
    return rethrow(thrown);
  }
};

/** A fit that fails and is skipped leaves the request unchanged. */
export function watchFit(fit: Fit, parts: HookParts): Fit {
  const [watch, filtering] = [watchHook(parts, 'fits'), watchHook(parts, 'fits', 'fail')];
  const watchReply = (fitted: Fitted | undefined): Fitted | undefined => {
    const reply = fitted?.reply;
    return fitted === undefined || reply === undefined
      ? fitted
      : { ...fitted, reply: () => watchFilter(reply, filtering) };
  };
  return {
    ...fit,
    fit: (request, profile, context) => {
      const fitted = callHook(watch, rules, () => fit.fit(request, profile, context), undefined, undefined);
      return fitted instanceof Promise ? fitted.then(watchReply) : watchReply(fitted);
    },
  };
}
