import { isObject } from '../../canonical/members.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { RequestHead } from '../../contracts/exchange.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { callHook, type HookRules } from './call.ts';
import { describeValue } from './describe.ts';
import { watchHook, type GuardParts } from './watch.ts';

type Identify = NonNullable<PluginInstance['identify']>;

const isCaller = (answer: unknown): boolean =>
  isObject(answer) && typeof answer['key'] === 'string' && typeof answer['project'] === 'string' && typeof answer['organization'] === 'string' && Array.isArray(answer['models']);

const rules: HookRules<RequestHead, Caller | undefined> = {
  check: (answer) =>
    answer === undefined || isCaller(answer) ? undefined : `${describeValue(answer)}, and neither a caller nor undefined`,
};

/** A plugin that fails and is skipped does not know the caller. */
export const guardIdentify = (identify: Identify, parts: GuardParts): Identify => {
  const watch = watchHook(parts, 'identify');
  return (head) => callHook(watch, rules, identify, head, undefined, head.id);
};
