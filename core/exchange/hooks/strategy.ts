import type { Strategy, Reply } from '../../contracts/attempt.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { checkReply } from './reply.ts';
import { watchHook, type HookParts } from './hook.ts';

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
