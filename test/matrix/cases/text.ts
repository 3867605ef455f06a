import type { MatrixCase } from '../matrix-case.ts';
import { goodDay, hello, receivedHello } from '../sample-bodies.ts';

export const text: MatrixCase = {
  name: 'text',
  request: hello,
  received: receivedHello,
  vendor: goodDay,
  expected: { text: 'Good day.', finish: 'stop' },
};
