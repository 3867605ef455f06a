import { isObject } from '../../canonical/members.ts';
import type { CacheAccount, Charge, Exchange } from '../../contracts/exchange.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { callHook, type HookRules } from './call.ts';
import { describeValue } from './describe.ts';
import { watchHook, type GuardParts } from './watch.ts';

type Account = NonNullable<PluginInstance['account']>;

const isAccount = (answer: unknown): boolean =>
  isObject(answer) && typeof answer['saved'] === 'bigint' && typeof answer['lost'] === 'bigint';

/** A promise is boxed, so that it is checked and not waited for. */
interface Boxed {
  readonly answer: CacheAccount | undefined;
}
const rules: HookRules<Exchange, Boxed> = {
  check: ({ answer }) =>
    answer === undefined || isAccount(answer) ? undefined : `${describeValue(answer)}, and no account of the cache`,
};

/** The outcome waits for no promise, and does without an account that cannot be made. */
export const guardAccount = (account: Account, parts: GuardParts): Account => {
  const watch = watchHook(parts, 'account', 'skip');
  const box = (exchange: Exchange, charges: readonly Charge[]): Boxed => ({ answer: account(exchange, charges) });
  return (exchange, charges) => {
    const boxed = callHook(watch, rules, box, exchange, charges, exchange.id);
    return boxed instanceof Promise ? undefined : boxed?.answer;
  };
};
