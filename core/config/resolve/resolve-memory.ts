import { getHeapStatistics } from 'node:v8';
import type { DraftServer } from '../schema/draft.ts';
import { parseSize } from '../units/size.ts';

/** Of the heap: the rest is for the gateway itself, its open streams, and the one body that is being converted. */
const SHARE_OF_HEAP = 1 / 3;
const ENOUGH = 536_870_912;
/** A text takes four times its size until its exchange has ended: see countMemory. */
export const MEMORY_PER_BYTE = 4;

/** The memory for bodies. Without a setting it depends on the heap of this process, and is enough for one body. */
export function resolveMemory({ memory, perKey }: DraftServer['overload'], bodyLimit: number): number {
  if (memory !== undefined) return parseSize(memory);
  const share = Math.floor(SHARE_OF_HEAP * getHeapStatistics().heap_size_limit);
  return Math.min(share, Math.max(ENOUGH, Math.ceil((MEMORY_PER_BYTE * bodyLimit) / perKey)));
}
