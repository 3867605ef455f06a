import type { Strategy } from '../../contracts/plugin.ts';
import type { Reply } from '../../contracts/reply.ts';
import { GatewayError } from '../../errors.ts';
import { checkReply, dropReply } from './reply.ts';
import { watchHook, type GuardParts } from './watch.ts';

/** A strategy waits for upstreams as long as it wants to: it has no deadline here, and nothing could stand in its place. */
export const guardStrategy = (strategy: Strategy, parts: GuardParts): Strategy => {
  const watch = watchHook(parts, 'strategy', 'fail');
  return async (exchange, attempt) => {
    let last: Reply | undefined;
    const fail = (thrown: unknown): never => {
      if (last !== undefined) dropReply(last);
      throw watch.judge(thrown, exchange.id);
    };
    const reply = await Promise.try(strategy, exchange, async (target, credential, details) => (last = await attempt(target, credential, details))).catch((thrown: unknown) => {
      // Attempts reject with errors of ours: those are not the strategy's doing.
      if (GatewayError.is(thrown)) throw thrown;
      return fail(thrown);
    });
    const what = checkReply(reply);
    return what === undefined ? reply : fail(watch.wrong(what));
  };
};
