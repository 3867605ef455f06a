import type { Attempt, Send, Reply, Strategy } from '../../contracts/attempt.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { DeadlineWrapper } from './deadline-wrapper.ts';
import { watchDelivery } from './delivery.ts';
import { describeValue, watchHook, type HookOf, type HookParts } from './hook.ts';
import { isObject } from '../../canonical/json/members.ts';

/** What is wrong with a reply, to complete `it returned …`; undefined: nothing. */
function checkReply(reply: Reply): string | undefined {
  const given: unknown = reply;
  if (!isObject(given) || typeof given['deliver'] !== 'function' || typeof given['cancel'] !== 'function')
    return `${describeValue(given)}, not a reply`;
  const { status, losses, headers } = given;
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599)
    return `a reply whose status is ${describeValue(status)}, not an HTTP status`;
  if (!Array.isArray(losses)) return `a reply whose losses are ${describeValue(losses)}`;
  return isObject(headers) ? undefined : `a reply whose headers are ${describeValue(headers)}`;
}

/** Releases the upstream of a reply that is not passed on. */
const dropReply = (reply: Reply): void =>
  reply.cancel(new GatewayError('internal_error', 'The reply was not passed on.'));

/** @throws GatewayError at load, if the interceptor cannot be composed */
export function watchInterceptor(intercept: HookOf<'interceptor'>, parts: HookParts): HookOf<'interceptor'> {
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

/**
 * A strategy has no time limit here, since it waits for upstreams, and cannot be skipped, since nothing could replace
 * it. The pipeline cancels a reply that a failed strategy leaves behind.
 */
export function watchStrategy(strategy: Strategy, parts: HookParts): Strategy {
  const watch = watchHook(parts, 'strategy', 'fail');
  return async (exchange, attempt, order) => {
    let reply: Reply;
    try {
      reply = await strategy(exchange, attempt, order);
    } catch (thrown) {
      // Attempts reject with a GatewayError: that is not a failure of the strategy.
      throw GatewayError.is(thrown) ? thrown : watch.judge(thrown, exchange.id);
    }
    const wrong = checkReply(reply);
    if (wrong !== undefined) throw watch.judge(watch.wrong(wrong), exchange.id);
    return reply;
  };
}
