import { expect } from 'chai';
import { codecLaws, embedLaws } from '../../../core/testing/index.ts';
import { chatCodec } from '../../../providers/cohere/chat/index.ts';
import { embedCodec } from '../../../providers/cohere/embed/index.ts';
import { hasCorpus, readCorpus } from '../../core/testing/corpus.ts';
import { recordings, vectorRecordings } from './recordings.ts';

const isV2 = (line: string): boolean => /"path": ?"\/v2\/chat"/.test(line);
const chats = ['cohere-chat.jsonl', 'cohere-chat-stream.jsonl'].flatMap((file) =>
  readCorpus(file, 'cohere-chat', isV2),
);
const vectors = readCorpus('embeddings.jsonl', 'cohere-embed', (line) => /"path": ?"\/v2\/embed"/.test(line));

/** The vendor's own prompt, and what of it is cached, is not billed. */
const leftOut = [/^(?:input_tokens|output_tokens|cached_tokens|reasoning_tokens) \(\d+\) is not in the usage$/];

describe('laws of the codecs of Cohere', () => {
  for (const { name, run } of codecLaws(chatCodec, [...recordings, ...chats], { leftOut })) it(name, run);
  for (const { name, run } of embedLaws(embedCodec, [...vectorRecordings, ...vectors])) it(name, run);

  it('Cohere has recorded traffic', function () {
    if (!hasCorpus) this.skip();
    expect([chats.length, vectors.length]).to.deep.equal([37, 4]);
  });
});
