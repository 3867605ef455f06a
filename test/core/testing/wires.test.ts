import type { Codec } from '../../../core/api/codec.ts';
import { codecLaws, type Check, type CodecLawOptions, type Recording } from '../../../core/testing/index.ts';
import { messagesCodec } from '../../../providers/anthropic/messages/index.ts';
import { chatCompletionsCodec } from '../../../providers/openai/chat-completions/index.ts';
import { hasCorpus, readCorpus } from './corpus.ts';
import { contradictionsIn, simplifyChat, simplifyMessages } from './simplify.ts';
import { clientRulesOf } from '../../providers/frame-rules.ts';

interface Wire {
  readonly codec: Codec<'generate'>;
  readonly style: string;
  readonly files: readonly string[];
  readonly options: CodecLawOptions;
}
const wires: readonly Wire[] = [
  {
    codec: chatCompletionsCodec,
    style: '"style": ?"openai-chat"',
    files: ['openai-chat.jsonl', 'openai-chat-stream.jsonl'],
    options: { simplify: simplifyChat },
  },
  {
    codec: messagesCodec,
    style: '"style": ?"anthropic-messages"',
    files: ['anthropic-messages.jsonl', 'anthropic-messages-stream.jsonl'],
    options: { simplify: simplifyMessages },
  },
];

/** One test per law and wire: a thousand recordings would drown the report. */
const groupByLaw = (codec: Codec<'generate'>, recordings: readonly Recording[], options: CodecLawOptions) =>
  Map.groupBy(codecLaws(codec, recordings, { ...clientRulesOf(codec.wire), ...options }), ({ name }) =>
    name.replace(/ of (?:the )?\S+$/, ''),
  );

const runNamed = async ({ name, run }: Check): Promise<void> => {
  try {
    await run();
  } catch (thrown) {
    throw new Error(`${name}: ${String(thrown)}`, { cause: thrown });
  }
};

for (const { codec, style, files, options } of wires) {
  const recordings = [
    ...files.flatMap((file) => readCorpus(file, codec.wire)),
    ...readCorpus('errors.jsonl', codec.wire, (line) => new RegExp(style).test(line)),
  ];
  describe(`${codec.wire}: the laws, over ${recordings.length} recordings`, () => {
    it('the wire has recorded traffic', function () {
      if (!hasCorpus) this.skip();
    });
    for (const [law, checks] of groupByLaw(codec, recordings, { ...options, leftOut: contradictionsIn(recordings) })) {
      it(`the law holds: ${law} (${checks.length})`, async () => {
        for (const check of checks) await runNamed(check);
      });
    }
  });
}
