import { isObject, type JsonObject, type Lose, readList, readText } from '../../../../../core/index.ts';

import { listContent } from './message.ts';

const holdsLogprobs = (item: Readonly<JsonObject>): boolean =>
  item['type'] === 'message' &&
  listContent(item['content']).some((content) => readList(content['logprobs']).some(isObject));

/** Names what an output item says that the canonical form cannot: each once in an answer. */
export function createLossReporter(lose: Lose): (item: Readonly<JsonObject>) => void {
  const named = new Set<string>();
  const name = (field: string, detail: string) => {
    if (!named.has(field)) lose(field, 'dropped', detail);
    named.add(field);
  };
  return (item) => {
    if (item['type'] === 'message' && readText(item['phase']) !== '')
      name('output.phase', 'the phase of a message is not carried through translation');
    if (item['type'] === 'function_call' && isObject(item['caller']))
      name('output.caller', 'who called the tool is not carried through translation');
    if (holdsLogprobs(item)) name('output.logprobs', 'log probabilities are not carried through translation');
  };
}
