import { goodDay, hello, receivedHello, stopped, type MatrixCase } from '../matrix-case.ts';

export const text: MatrixCase = {
  name: 'text',
  request: hello,
  received: receivedHello,
  vendor: goodDay,
  expected: { text: 'Good day.', finish: stopped },
};
