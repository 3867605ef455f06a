import { fileURLToPath } from 'node:url';
import { codecLaws, loadRecordings } from '../../core/testing/index.ts';
import anthropic from '../../providers/anthropic/index.ts';
import openai from '../../providers/openai/index.ts';

const recordings = loadRecordings(fileURLToPath(new URL('../fixtures/recordings/', import.meta.url)));

for (const codec of [...(openai.codecs ?? []), ...(anthropic.codecs ?? [])]) {
  if (codec.operation !== 'generate') continue;
  describe(`the codec of ${codec.wire}, over the project's recordings`, () => {
    const own = recordings.filter(({ wire }) => wire === codec.wire);
    for (const { name, run } of codecLaws(codec, own)) it(name, run);
  });
}
