import { codecLaws } from '../../../../core/testing/index.ts';
import { messagesCodec } from '../../../../providers/anthropic/messages/index.ts';
import { hasCorpus, readCorpus } from '../../../core/testing/corpus.ts';
import { simplifyMessages } from '../../../core/testing/simplify.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';
import { clientRulesOf } from '../../frame-rules.ts';

const recordings = [
  ...['anthropic-messages.jsonl', 'anthropic-messages-stream.jsonl'].flatMap((file) => readCorpus(file, 'messages')),
  ...readCorpus('errors.jsonl', 'messages', (line) => /"style": ?"anthropic-messages"/.test(line)),
];

describe(`codec laws: messages, over ${recordings.length} recordings`, () => {
  it('messages have recorded traffic', function () {
    if (!hasCorpus) this.skip();
  });
  if (hasCorpus)
    testLaws(codecLaws(messagesCodec, recordings, { ...clientRulesOf('messages'), simplify: simplifyMessages }));
});
