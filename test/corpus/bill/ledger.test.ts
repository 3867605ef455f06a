import { expect } from 'chai';
import { embedding, wireOfVectors } from '../answers/embedding.ts';
import { generation } from '../answers/generation.ts';
import { hasCorpus, readLines } from '../lines.ts';
import type { GenerationWire } from '../wires.ts';
import { holdLines } from './hold.ts';

const files: readonly (readonly [wire: GenerationWire, files: readonly string[]])[] = [
  [
    'chat-completions',
    ['openai', 'compat', 'deepseek', 'groq', 'mistral', 'openrouter', 'xai'].flatMap((vendor) => [
      `${vendor}-chat`,
      `${vendor}-chat-stream`,
    ]),
  ],
  ['messages', ['anthropic-messages', 'anthropic-messages-stream']],
  ['responses', ['openai-responses', 'openai-responses-stream', 'compat-responses', 'compat-responses-stream']],
  ['generate-content', ['gemini-generate', 'gemini-stream']],
  ['interactions', ['interactions']],
];

describe('the costs of recorded responses', function () {
  this.timeout(300_000);
  before(function () {
    if (!hasCorpus()) this.skip();
  });

  for (const [wire, names] of files)
    for (const name of names)
      it(`the gateway charges what the vendor bills, on every client wire: ${name}`, async () => {
        const lines = readLines(`${name}.jsonl`);
        expect(await holdLines(generation, wire, lines)).to.be.above(lines.length);
      });

  for (const wire of embedding.wires)
    it(`the gateway charges what the vendor bills, on every client wire: ${wire}`, async () => {
      const lines = readLines('embeddings.jsonl').filter((line) => wireOfVectors(line) === wire);
      expect(await holdLines(embedding, wire, lines)).to.be.above(0);
    });
});
