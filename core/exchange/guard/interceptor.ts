import type { Attempt } from '../../contracts/exchange.ts';
import type { PluginInstance, Send } from '../../contracts/plugin.ts';
import type { Reply } from '../../contracts/reply.ts';
import { GatewayError } from '../../errors.ts';
import { createAround, type Around } from './around.ts';
import { watchDelivery } from './delivery.ts';
import { describeValue } from './describe.ts';
import { checkReply, dropReply } from './reply.ts';
import { watchHook, type GuardParts } from './watch.ts';

type Interceptor = NonNullable<PluginInstance['interceptor']>;

/** An interceptor may hand on another attempt; what stays the same in all of its copies tells which run it belongs to. */
const keyOf = ({ answered, exchange }: Attempt): object => answered ?? exchange;

/** @throws GatewayError at load, where the interceptor cannot be composed */
export const guardInterceptor = (intercept: Interceptor, parts: GuardParts): Interceptor => {
  const watch = watchHook(parts, 'interceptor');
  const createDelivery = watchDelivery(parts);
  const refuse = (what: string): GatewayError => new GatewayError('KOINE_EXTENSION_START_FAILED', `The plugin ${parts.plugin} cannot be used: its interceptor ${what}.`);
  return (next) => {
    const runs = new WeakMap<object, Around<Attempt, Reply>>();
    const passOn: Send = (attempt) => runs.get(keyOf(attempt))?.next(attempt) ?? next(attempt);
    let send: Send;
    try {
      send = intercept(passOn);
    } catch (thrown) {
      throw refuse(`threw: ${String(thrown)}`);
    }
    if (typeof send !== 'function') throw refuse(`returned ${describeValue(send)} and no function`);
    return (attempt) => {
      const { id: requestId } = attempt.exchange;
      const { lend, accept } = createDelivery(watch, requestId);
      const around = createAround<Attempt, Reply>({ watch, requestId, inner: (given) => next(given).then(lend), argument: attempt, check: checkReply, accept, drop: dropReply });
      runs.set(keyOf(attempt), around);
      return around.run(() => send(attempt));
    };
  };
};
