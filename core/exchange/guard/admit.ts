import { isObject } from '../../canonical/members.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import type { Admission, PluginInstance } from '../../contracts/plugin.ts';
import { GatewayError } from '../../errors.ts';
import { createOutcome } from '../outcome.ts';
import { callHook } from './call.ts';
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

/** A settle that fails, or never ends, delays no answer: there is nothing left to refuse. */
export const guardSettle = (admission: Admission, watch: HookWatch, requestId: string): Admission => {
  const { limits, headers, settle } = admission;
  if (settle === undefined) return admission;
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(headers === undefined ? {} : { headers }),
    settle: (outcome) => callHook<void>(watch, { call: () => settle.call(admission, outcome), check: () => undefined, requestId }),
  };
};

/** What an admission is settled on that came when the exchange had gone on without it. */
const settleLate = ({ settle }: Admission, exchange: Exchange, lateAfter: number): void => {
  const error = new GatewayError('internal_error', 'The admission came after its time.');
  const times = { total: lateAfter, own: lateAfter };
  void settle?.(createOutcome({ exchange, status: error.status, attempts: [], ending: undefined, error, times }));
};

/** A plugin that fails and is skipped has admitted nothing. What it admits after its time is settled at once. */
export const guardAdmit = (admit: Admit, parts: GuardParts): Admit => {
  const [watch, settling] = [watchHook(parts, 'admit'), watchHook(parts, 'settle', 'skip')];
  return (exchange) => {
    const { id: requestId } = exchange;
    const guard = (admission: Admission | undefined): Admission | undefined => (admission === undefined ? undefined : guardSettle(admission, settling, requestId));
    const late = (admission: Admission | undefined): void => {
      if (admission !== undefined && checkAdmission(admission) === undefined) settleLate(guardSettle(admission, settling, requestId), exchange, watch.timeout);
    };
    const answer = callHook(watch, { call: () => admit(exchange), check: checkAdmission, requestId, late });
    return answer instanceof Promise ? answer.then(guard) : guard(answer);
  };
};
