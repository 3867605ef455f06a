import { isObject, type JsonObject, readList, readText } from '../../../core/index.ts';

/** Between two summaries, and between two stretches of reasoning, of one item. */
export const BREAK = '\n\n';

const readTexts = (entries: unknown): readonly string[] =>
  readList(entries)
    .filter(isObject)
    .map((entry) => readText(entry['text']))
    .filter((text) => text !== '');

/** What a reasoning item shows: its summaries, else the reasoning itself, which open models give. Empty ones leave no break. */
export function readReasoningText({ summary, content }: Readonly<JsonObject>): string {
  const told = readTexts(summary).join(BREAK);
  return told === '' ? readTexts(content).join(BREAK) : told;
}
