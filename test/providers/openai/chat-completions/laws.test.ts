import { codecLaws, type Recording } from '../../../../core/testing/index.ts';
import { chatCompletionsCodec } from '../../../../providers/openai/chat-completions/index.ts';
import { readCorpus } from './harness.ts';
import { clientRulesOf } from '../../frame-rules.ts';
import { contradictionsIn } from '../../../core/testing/simplify.ts';

/** Recordings of the wire's own vendor. Those of other servers are tested in corpus/. */
const files = ['openai-chat', 'openai-chat-stream'] as const;
/** The laws split every stream at every place, so a third of the recordings keeps the test fast. */
const SHARE = 3;

const recordings = files.flatMap((file) =>
  (readCorpus(file) ?? [])
    .filter((_recording, index) => index % SHARE === 0)
    .map(({ id, request: { body }, response: { status, sse, body: answer } }): Recording => ({
      name: id,
      origin: `recorded from ${file}`,
      wire: 'chat-completions',
      ...(typeof body === 'object' && body !== null && 'model' in body && typeof body.model === 'string'
        ? { request: { body } }
        : {}),
      response: { status, ...(sse === undefined ? { body: answer } : { text: sse }) },
    })),
);

describe('codec laws: chat-completions', () => {
  if (recordings.length === 0) it('the codec laws hold for recorded traffic');
  const options = { ...clientRulesOf('chat-completions'), leftOut: contradictionsIn(recordings) };
  for (const { name, run } of codecLaws(chatCompletionsCodec, recordings, options)) it(name, run);
});
