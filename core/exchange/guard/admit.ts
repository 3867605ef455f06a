import { isObject } from '../../canonical/members.ts';
import type { Exchange, Outcome } from '../../contracts/exchange.ts';
import type { Admission, PluginInstance } from '../../contracts/plugin.ts';
import { GatewayError } from '../../errors.ts';
import { createOutcome } from '../../outcome/outcome.ts';
import { anyAnswer, callHook, type HookRules } from './call.ts';
import { describeValue } from './describe.ts';
import { watchHook, type GuardParts, type HookWatch } from './watch.ts';

type Admit = NonNullable<PluginInstance['admit']>;

const isOptional = (value: unknown, type: 'object' | 'function'): boolean => value === undefined || (typeof value === type && value !== null);

/** What is wrong with an admission, as in `it answered …`; undefined: nothing. */
export const checkAdmission = (answer: Admission | undefined): string | undefined => {
  if (answer === undefined) return undefined;
  if (!isObject(answer)) return `${describeValue(answer)}, and neither an admission nor undefined`;
  const { limits, headers, settle } = answer as Partial<Record<keyof Admission, unknown>>;
  if (!isOptional(settle, 'function')) return `an admission whose settle is ${describeValue(settle)}`;
  if (!isOptional(limits, 'object')) return `an admission whose limits are ${describeValue(limits)}`;
  return isOptional(headers, 'object') ? undefined : `an admission whose headers are ${describeValue(headers)}`;
};

const settleOne = (admission: Admission, outcome: Outcome): void | Promise<void> => admission.settle?.(outcome);

/** A settle that fails, or never ends, delays no answer: there is nothing left to refuse. */
export class GuardedAdmission implements Admission {
  readonly #admission: Admission;
  readonly #watch: HookWatch;
  readonly #requestId: string;

  constructor(admission: Admission, watch: HookWatch, requestId: string) {
    this.#admission = admission;
    this.#watch = watch;
    this.#requestId = requestId;
  }

  get limits(): Admission['limits'] {
    return this.#admission.limits;
  }

  get headers(): Admission['headers'] {
    return this.#admission.headers;
  }

  settle(outcome: Outcome): void | Promise<void> {
    if (this.#admission.settle === undefined) return undefined;
    return callHook<Admission, Outcome, void>(this.#watch, anyAnswer, settleOne, this.#admission, outcome, this.#requestId);
  }
}

/** Settles an admission that came when the exchange had gone on without it. */
const settleLate = (admission: GuardedAdmission, exchange: Exchange, lateAfter: number): void => {
  const error = new GatewayError('internal_error', 'The admission came after its time.');
  const times = { total: lateAfter, own: lateAfter };
  void admission.settle(createOutcome({ exchange, status: error.status, attempts: [], ending: undefined, error, times }));
};

/** A plugin that fails and is skipped has admitted nothing. What it admits after its time is settled at once. */
export const guardAdmit = (admit: Admit, parts: GuardParts): Admit => {
  const [watch, settling] = [watchHook(parts, 'admit'), watchHook(parts, 'settle', 'skip')];
  const rules: HookRules<Exchange, Admission | undefined> = {
    check: checkAdmission,
    late: (admission, exchange) => {
      if (admission === undefined || checkAdmission(admission) !== undefined) return;
      settleLate(new GuardedAdmission(admission, settling, exchange.id), exchange, watch.timeout);
    },
  };
  const guard = (admission: Admission | undefined, id: string): Admission | undefined => admission && new GuardedAdmission(admission, settling, id);
  return (exchange) => {
    const answer = callHook(watch, rules, admit, exchange, undefined, exchange.id);
    return answer instanceof Promise ? answer.then((admission) => guard(admission, exchange.id)) : guard(answer, exchange.id);
  };
};
