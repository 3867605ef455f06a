import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, type Lose, readList, readText } from '../../../../../core/api/codec.ts';
import { listContent } from './message.ts';

const holdsLogprobs = (item: Readonly<JsonObject>): boolean =>
  item['type'] === 'message' &&
  listContent(item['content']).some((content) => readList(content['logprobs']).some(isObject));

const isCall = ({ type }: Readonly<JsonObject>): boolean => type === 'function_call' || type === 'custom_tool_call';

/** Reports the members of output items that the canonical form does not have, each once per response. */
export function createLossReporter(lose: Lose): (item: Readonly<JsonObject>) => void {
  const reported = new Set<string>();
  const report = (field: string, detail: string) => {
    if (!reported.has(field)) lose(field, 'dropped', detail);
    reported.add(field);
  };
  return (item) => {
    if (item['type'] === 'message' && readText(item['phase']) !== '')
      report('output.phase', 'the phase of a message is not translated');
    if (item['type'] === 'function_call' && isObject(item['caller']))
      report('output.caller', 'the caller of a tool is not translated');
    if (isCall(item) && item['async'] === true)
      report('output.async', 'that a call runs asynchronously is not translated');
    if (holdsLogprobs(item)) report('output.logprobs', 'log probabilities are not translated');
  };
}
