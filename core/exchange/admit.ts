import type { Answer, Reply } from '../contracts/attempt.ts';
import type { Exchange } from '../contracts/exchange.ts';
import type { Admission } from '../contracts/outcome.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { Dispatch } from '../dispatch/dispatcher.ts';
import { createPlainReply } from '../lanes/plain-reply.ts';
import { isStreamed } from './exchange-state.ts';

/** @returns a promise only if a plugin returns one */
export type Admit = (exchange: Exchange, admitted: Admission[]) => Promise<void> | undefined;

/** Calls the `admit` hook of every plugin in YAML order; a throw refuses the exchange. */
export function composeAdmit(plugins: readonly PluginInstance[]): Admit {
  const hooks = plugins.flatMap((plugin) => plugin.admit?.bind(plugin) ?? []);
  const admitFrom = (first: number, exchange: Exchange, admitted: Admission[]): Promise<void> | undefined => {
    for (let index = first; index < hooks.length; index += 1) {
      const answer = hooks[index]?.(exchange);
      if (answer instanceof Promise) {
        return answer.then((admission) => {
          if (admission !== undefined) admitted.push(admission);
          return admitFrom(index + 1, exchange, admitted);
        });
      }
      if (answer !== undefined) admitted.push(answer);
    }
    return undefined;
  };
  return (exchange, admitted) => admitFrom(0, exchange, admitted);
}

const createReply = (exchange: Exchange, answer: Answer): Reply => {
  const { target, lane, losses, contentType, body: bytes, headers } = answer;
  const attempt = { target, signal: exchange.signal, losses };
  const reply = createPlainReply({ bytes, seen: { outputChars: 0 }, lane, attempt, waitedMs: 0 });
  // A stream can be followed by its cost.
  const own = isStreamed(exchange) ? {} : reply.headers;
  return { ...reply, headers: { ...own, 'content-type': contentType, ...headers } };
};

/** Calls the `answer` hooks in YAML order before anything is dispatched: the first answer wins. */
export function composeAnswer(plugins: readonly PluginInstance[], dispatch: Dispatch): Dispatch {
  const hooks = plugins.flatMap((plugin) => plugin.answer?.bind(plugin) ?? []);
  if (hooks.length === 0) return dispatch;
  return async (exchange, trail) => {
    for (const hook of hooks) {
      const answer = await hook(exchange);
      if (answer !== undefined) return createReply(exchange, answer);
    }
    return dispatch(exchange, trail);
  };
}
