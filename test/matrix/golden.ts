import { readFileSync } from 'node:fs';
import { bodyOf, hello, said } from './said.ts';
import type { Json, Wire } from './wires.ts';

const files: Readonly<Record<Wire, string>> = {
  chat: 'chat',
  messages: 'messages',
  responses: 'responses',
  google: 'generate-content',
};

/** One conversation in the streams of all wires, as eleven clients were seen to accept it. */
export const readGolden = (wire: Wire): Buffer =>
  readFileSync(new URL(`../fixtures/golden/${files[wire]}.sse`, import.meta.url));

/** What asks for it: Google's clients are shown reasoning only if they want it. */
export const goldenRequest: Readonly<Record<Wire, Json>> = {
  ...hello,
  google: bodyOf('google', [said.google('Hello')], { generationConfig: { thinkingConfig: { includeThoughts: true } } }),
};
