import { expect } from 'chai';
import { codecLaws, embedLaws } from '../../../core/testing/index.ts';
import { chatCodec } from '../../../providers/cohere/chat/index.ts';
import { embedCodec } from '../../../providers/cohere/embed/index.ts';
import { hasCorpus, readCorpus } from '../../core/testing/corpus.ts';
import { testLaws } from '../../core/testing/test-laws.ts';
import { recordings, vectorRecordings } from './recordings.ts';

const isV2 = (line: string): boolean => /"path": ?"\/v2\/chat"/.test(line);
const chats = ['cohere-chat.jsonl', 'cohere-chat-stream.jsonl'].flatMap((file) =>
  readCorpus(file, 'cohere-chat', isV2),
);
const vectors = readCorpus('embeddings.jsonl', 'cohere-embed', (line) => /"path": ?"\/v2\/embed"/.test(line));

describe('laws of the codecs of Cohere', () => {
  testLaws(codecLaws(chatCodec, [...recordings, ...chats]));
  testLaws(embedLaws(embedCodec, [...vectorRecordings, ...vectors]));

  it('Cohere has recorded traffic', function () {
    if (!hasCorpus) this.skip();
    expect([chats.length, vectors.length]).to.deep.equal([37, 4]);
  });
});
