import type { MatrixCase } from '../matrix-case.ts';
import { textAnswer, requestBodies, receivedBodies } from '../sample-bodies.ts';

const words = 'e\u0301 👩‍👩‍👧 \u2028 \u0000 ﷽ 日本';
const before = 'née 👍🏽 \u2029"\\ n\u0303 ';
/** The emoji is in the middle: its two surrogates are in two deltas. */
const torn = `${before}😀${'日本語 ﷽ 🎉.'.padEnd(before.length, '!')}`;

export const unicode: MatrixCase = {
  name: 'Unicode with an emoji cut between two deltas (E39)',
  request: requestBodies(words),
  received: receivedBodies(words),
  vendor: textAnswer(torn),
  expected: { text: torn, finish: 'stop' },
};
