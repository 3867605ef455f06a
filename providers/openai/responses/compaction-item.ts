import type { JsonObject } from '../../../core/api/index.ts';
import { openSummary, readText, sealSummary } from '../../../core/api/codec.ts';

const PREFACE = 'This is a summary of the conversation so far, which it replaces:\n\n';

/** The item of a summary that a model has written: its sealed text is where a vendor has encrypted content. */
export const writeCompactionItem = (id: string, summary: string): JsonObject => ({
  type: 'compaction',
  id,
  encrypted_content: sealSummary(summary),
});

/** What such an item says to a model; undefined for other items, also for compactions of the vendor. */
export function readCompactionItem({ type, encrypted_content: blob }: Readonly<JsonObject>): string | undefined {
  const summary = type === 'compaction' ? openSummary(readText(blob)) : undefined;
  return summary === undefined ? undefined : PREFACE + summary;
}
