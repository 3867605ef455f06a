import { isObject } from '../../canonical/json/members.ts';
import type { Answer } from '../../contracts/attempt.ts';
import type { Exchange } from '../../contracts/exchange.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { callHook, describeValue, watchHook, type HookParts, type HookRules } from './hook.ts';

type AnswerHook = NonNullable<PluginInstance['answer']>;

const checkAnswer = (result: Answer | undefined, { targets }: Exchange): string | undefined => {
  if (result === undefined) return undefined;
  if (!isObject(result)) return `${describeValue(result)}, not an answer or undefined`;
  const { target, losses, contentType, body, headers } = result as Partial<Record<keyof Answer, unknown>>;
  if (!targets.some((each) => each === target)) return 'an answer whose target is none of the exchange';
  if (!Array.isArray(losses)) return `an answer whose losses are ${describeValue(losses)}`;
  if (typeof contentType !== 'string') return `an answer whose contentType is ${describeValue(contentType)}`;
  if (headers !== undefined && !isObject(headers)) return `an answer whose headers are ${describeValue(headers)}`;
  return typeof body === 'string' || body instanceof Uint8Array
    ? undefined
    : `an answer whose body is ${describeValue(body)}`;
};

/** A plugin that fails and is skipped has no answer. */
export function watchAnswer(answer: AnswerHook, parts: HookParts): AnswerHook {
  const watch = watchHook(parts, 'answer');
  return (exchange) => {
    const rules: HookRules<Exchange, Answer | undefined> = { check: (result) => checkAnswer(result, exchange) };
    return callHook(watch, rules, answer, exchange, undefined, exchange.id);
  };
}
