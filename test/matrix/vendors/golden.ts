import { readFileSync } from 'node:fs';
import { bodyOf, hello, userTurn } from '../sample-bodies.ts';
import type { Json, Wire } from '../wires.ts';

const files: Readonly<Record<Wire, string>> = {
  chat: 'chat',
  messages: 'messages',
  responses: 'responses',
  google: 'generate-content',
};

/** The same conversation as a stream of each wire, as eleven clients have accepted it. */
export const readGolden = (wire: Wire): Buffer =>
  readFileSync(new URL(`../../fixtures/golden/${files[wire]}.sse`, import.meta.url));

/** The request for it. Google's clients receive reasoning only on request. */
export const goldenRequest: Readonly<Record<Wire, Json>> = {
  ...hello,
  google: bodyOf('google', [userTurn.google('Hello')], {
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  }),
};
