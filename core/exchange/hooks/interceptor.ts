import type { Attempt, Send, Reply } from '../../contracts/attempt.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { DeadlineWrapper } from './deadline-wrapper.ts';
import { watchDelivery } from './delivery.ts';
import { checkReply, dropReply } from './reply.ts';
import { describeValue, watchHook, type HookParts } from './hook.ts';

type Interceptor = NonNullable<PluginInstance['interceptor']>;

/** @throws GatewayError at load, if the interceptor cannot be composed */
export function watchInterceptor(intercept: Interceptor, parts: HookParts): Interceptor {
  const watch = watchHook(parts, 'interceptor');
  const createDelivery = watchDelivery(parts);
  const refuse = (what: string): GatewayError =>
    new GatewayError(
      'KOINE_EXTENSION_START_FAILED',
      `The plugin ${parts.plugin} cannot be used: its interceptor ${what}.`,
    );
  return (next) => {
    // On the list of calls: an interceptor can pass on a copy of its attempt, and the list stays the same. Entries of a
    // WeakMap would be freed by no collection but a full one.
    const RUN: unique symbol = Symbol('run');
    type Calls = Attempt['calls'] & { [RUN]?: DeadlineWrapper<Attempt, Reply> };
    const passOn: Send = (attempt) => (attempt.calls as Calls)[RUN]?.next(attempt) ?? next(attempt);
    let send: Send;
    try {
      send = intercept(passOn);
    } catch (thrown) {
      throw refuse(`threw: ${String(thrown)}`);
    }
    if (typeof send !== 'function') throw refuse(`returned ${describeValue(send)}, not a function`);
    return (attempt) => {
      const { id: requestId } = attempt.exchange;
      const delivery = createDelivery(watch, requestId);
      const run = new DeadlineWrapper<Attempt, Reply>({
        watch,
        requestId,
        inner: (given) => next(given).then((reply) => delivery.expose(reply)),
        argument: attempt,
        check: checkReply,
        accept: (reply) => delivery.accept(reply),
        drop: dropReply,
      });
      (attempt.calls as Calls)[RUN] = run;
      return run.run(() => send(attempt));
    };
  };
}
