import type { Strategy } from '../../contracts/plugin.ts';
import type { Reply } from '../../contracts/reply.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { checkReply } from './reply.ts';
import { watchHook, type GuardParts } from './hook.ts';

/**
 * A strategy waits for upstreams as long as it wants to: its time is not limited here, and nothing could stand in its
 * place. An answer that it leaves behind when it fails is cancelled by the pipeline.
 */
export function guardStrategy(strategy: Strategy, parts: GuardParts): Strategy {
  const watch = watchHook(parts, 'strategy', 'fail');
  return async (exchange, attempt) => {
    let reply: Reply;
    try {
      reply = await strategy(exchange, attempt);
    } catch (thrown) {
      // Attempts reject with errors of ours: those are no failures of the strategy.
      throw GatewayError.is(thrown) ? thrown : watch.judge(thrown, exchange.id);
    }
    const wrong = checkReply(reply);
    if (wrong !== undefined) throw watch.judge(watch.wrong(wrong), exchange.id);
    return reply;
  };
}
