import { expect } from 'chai';
import { ndjson } from '../../../core/api/codec.ts';
import { codecLaws, embedLaws } from '../../../core/testing/index.ts';
import { chatCodec } from '../../../providers/ollama/chat/index.ts';
import { embedCodec } from '../../../providers/ollama/embed/index.ts';
import { hasCorpus, readCorpus } from '../../core/testing/corpus.ts';
import { testLaws } from '../../core/testing/test-laws.ts';
import { recordings, vectorRecordings } from './recordings.ts';

const isChat = (line: string): boolean => /"path": ?"\/api\/chat"/.test(line);
const chats = ['ollama-chat.jsonl', 'ollama-chat-stream.jsonl', 'errors.jsonl'].flatMap((file) =>
  readCorpus(file, 'ollama-chat', isChat),
);

describe('laws of the codecs of Ollama', () => {
  testLaws(codecLaws(chatCodec, [...recordings, ...chats], { framing: ndjson }));
  testLaws(embedLaws(embedCodec, vectorRecordings));

  it('Ollama has recorded traffic', function () {
    if (!hasCorpus) this.skip();
    expect(chats).to.have.lengthOf(7);
  });
});
