import { expect } from 'chai';
import { join } from 'node:path';
import '../../core/extensions/modules/register.ts';
import { ndjson } from '../../core/api/codec.ts';
import { codecLaws, loadRecordings } from '../../core/testing/index.ts';

const { codec } = await import('../../examples/ollama-provider/index.ts');
const recordings = loadRecordings(join(import.meta.dirname, '../../examples/ollama-provider/recordings'));

describe('the codec of the Ollama example', () => {
  it('the laws name a framing that finds no frame', () => {
    const law = codecLaws(codec, recordings).find(({ name }) => name.includes('decodes the stream of text'));
    expect(() => law?.run()).to.throw('no frame is found by the framing sse: pass { framing }');
  });
  for (const { name, run } of codecLaws(codec, recordings, { framing: ndjson })) it(`${name} (Ollama example)`, run);
});
