import type { JsonObject } from '../../../core/api/index.ts';
import { readObjects, readText } from '../../../core/api/codec.ts';

/** Separates the summaries, or the reasoning texts, of one item. */
export const BREAK = '\n\n';

const readTexts = (entries: unknown): readonly string[] =>
  readObjects(entries)
    .map((entry) => readText(entry['text']))
    .filter((text) => text !== '');

/** The text of a reasoning item: its summaries, else the reasoning itself, which open models send. */
export function readReasoningText({ summary, content }: Readonly<JsonObject>): string {
  return readTexts(summary).join(BREAK) || readTexts(content).join(BREAK);
}
