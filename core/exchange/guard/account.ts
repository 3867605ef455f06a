import { isObject } from '../../canonical/members.ts';
import type { CacheAccount } from '../../contracts/exchange.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { callHook } from './call.ts';
import { describeValue } from './describe.ts';
import { watchHook, type GuardParts } from './watch.ts';

type Account = NonNullable<PluginInstance['account']>;

const check = (answer: unknown): string | undefined =>
  answer === undefined || (isObject(answer) && typeof answer['saved'] === 'bigint' && typeof answer['lost'] === 'bigint') ? undefined : `${describeValue(answer)}, and no account of the cache`;

/** Everyone settles on the outcome: it waits for no promise, and does without an account that cannot be made. */
export const guardAccount = (account: Account, parts: GuardParts): Account => {
  const watch = watchHook(parts, 'account', 'skip');
  return (exchange, charges) => {
    const boxed = callHook<{ readonly answer: CacheAccount | undefined }>(watch, { call: () => ({ answer: account(exchange, charges) }), check: ({ answer }) => check(answer), requestId: exchange.id });
    return boxed instanceof Promise ? undefined : boxed?.answer;
  };
};
