import { join } from 'node:path';
import '../../core/extensions/modules/register.ts';
import { codecLaws, loadRecordings } from '../../core/testing/index.ts';

const { ollamaChat } = await import('../../examples/ollama-provider/index.ts');
const recordings = loadRecordings(join(import.meta.dirname, '../../examples/ollama-provider/recordings'));

describe('the codec of the Ollama example', () => {
  for (const { name, run } of codecLaws(ollamaChat, recordings)) it(`${name} (Ollama example)`, run);
});
