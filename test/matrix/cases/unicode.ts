import type { MatrixCase } from '../matrix-case.ts';
import { answer, ask, asked } from '../said.ts';

const words = 'e\u0301 👩‍👩‍👧 \u2028 \u0000 ﷽ 日本';
const before = 'née 👍🏽 \u2029"\\ n\u0303 ';
/** As long before the emoji as behind it: its two surrogates come in two deltas. */
const torn = `${before}😀${'日本語 ﷽ 🎉.'.padEnd(before.length, '!')}`;

export const unicode: MatrixCase = {
  name: 'unicode, with an emoji torn apart by two deltas (E39)',
  request: ask(words),
  received: asked(words),
  vendor: answer(torn),
  expected: { text: torn, finish: 'stop' },
};
