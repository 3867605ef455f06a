import { isObject } from '../../canonical/json/members.ts';
import type { Admission, AdmittedLimit, Outcome } from '../../contracts/outcome.ts';
import { NamedAnnotations } from './annotations.ts';
import { anyResult, callHook, describeValue, type HookWatch } from './hook.ts';

/** What is wrong with an admission, to complete `it returned …`; undefined: nothing. */
export const checkAdmission = (result: Admission | undefined): string | undefined => {
  if (result === undefined) return undefined;
  if (!isObject(result)) return `${describeValue(result)}, not an admission or undefined`;
  const { limits, headers, annotations, admitted, settle } = result as Partial<Record<keyof Admission, unknown>>;
  if (settle !== undefined && typeof settle !== 'function')
    return `an admission whose settle is ${describeValue(settle)}`;
  if (admitted !== undefined && typeof admitted !== 'function')
    return `an admission whose admitted is ${describeValue(admitted)}`;
  if (limits !== undefined && !isObject(limits)) return `an admission whose limits are ${describeValue(limits)}`;
  if (annotations !== undefined && !isObject(annotations))
    return `an admission whose annotations are ${describeValue(annotations)}`;
  return headers === undefined || isObject(headers)
    ? undefined
    : `an admission whose headers are ${describeValue(headers)}`;
};

const settleOne = (admission: Admission, outcome: Outcome): void | Promise<void> => admission.settle?.(outcome);

/** A `settle` that fails or never ends delays no response: there is nothing left to refuse. */
export class WatchedAdmission implements Admission {
  readonly limits: Admission['limits'];
  readonly headers: Admission['headers'];
  readonly annotations: Admission['annotations'];
  readonly #admission: Admission;
  readonly #watch: HookWatch;
  readonly #requestId: string;

  /** @param watch of `settle`; it skips */
  constructor(plugin: string, admission: Admission, watch: HookWatch, requestId: string) {
    const { limits, headers, annotations } = admission;
    this.limits = limits;
    this.headers = headers;
    this.annotations = annotations && new NamedAnnotations(plugin, annotations, watch, requestId);
    this.#admission = admission;
    this.#watch = watch;
    this.#requestId = requestId;
  }

  settle(outcome: Outcome): void | Promise<void> {
    if (this.#admission.settle === undefined) return undefined;
    return callHook<Admission, Outcome, void>(
      this.#watch,
      anyResult,
      settleOne,
      this.#admission,
      outcome,
      this.#requestId,
    );
  }
}

/** That of the plugin that enforces limits. */
class WatchedLimits extends WatchedAdmission {
  readonly #describing: Admission;

  constructor(plugin: string, admission: Admission, watch: HookWatch, requestId: string) {
    super(plugin, admission, watch, requestId);
    this.#describing = admission;
  }

  admitted(): readonly AdmittedLimit[] {
    return this.#describing.admitted?.() ?? [];
  }
}

/** @param watch of `settle`; it skips */
export const watchAdmission = (
  plugin: string,
  admission: Admission,
  watch: HookWatch,
  requestId: string,
): WatchedAdmission =>
  admission.admitted === undefined
    ? new WatchedAdmission(plugin, admission, watch, requestId)
    : new WatchedLimits(plugin, admission, watch, requestId);
