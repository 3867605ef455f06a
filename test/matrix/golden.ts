import { readFileSync } from 'node:fs';
import type { Wire } from './wires.ts';

const files: Readonly<Record<Wire, string>> = { chat: 'chat', messages: 'messages', responses: 'responses', google: 'generate-content' };

/** One conversation in the streams of all wires, as eleven clients were seen to accept it. */
export const readGolden = (wire: Wire): Buffer => readFileSync(new URL(`../fixtures/golden/${files[wire]}.sse`, import.meta.url));
