import { codecLaws } from '../../../../core/testing/index.ts';
import { chatCompletionsCodec } from '../../../../providers/openai/chat-completions/index.ts';
import { hasCorpus, readCorpus } from '../../../core/testing/corpus.ts';
import { simplifyChat } from '../../../core/testing/simplify.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';
import { clientRulesOf } from '../../frame-rules.ts';

/** Those of the wire's own vendor. Those of other servers are read in test/corpus. */
const recordings = [
  ...['openai-chat.jsonl', 'openai-chat-stream.jsonl'].flatMap((file) => readCorpus(file, 'chat-completions')),
  ...readCorpus('errors.jsonl', 'chat-completions', (line) => /"style": ?"openai-chat"/.test(line)),
];

describe(`codec laws: chat-completions, over ${recordings.length} recordings`, () => {
  it('chat-completions have recorded traffic', function () {
    if (!hasCorpus) this.skip();
  });
  if (hasCorpus)
    testLaws(
      codecLaws(chatCompletionsCodec, recordings, { ...clientRulesOf('chat-completions'), simplify: simplifyChat }),
    );
});
