import type { GenerateResponse } from '../../core/api/index.ts';
import {
  codecLaws,
  embedLaws,
  plainLaws,
  sampleImageRequests,
  sampleModerateRequests,
  sampleRerankRequests,
  sampleSpeakRequests,
} from '../../core/testing/index.ts';
import anthropic from '../../providers/anthropic/index.ts';
import google from '../../providers/google/index.ts';
import openai from '../../providers/openai/index.ts';
import { testLaws } from '../core/testing/test-laws.ts';
import {
  simplifyChat,
  simplifyCompletions,
  simplifyGenerateContent,
  simplifyInteractions,
  simplifyMessages,
} from '../core/testing/simplify.ts';
import { clientRulesOf } from '../providers/frame-rules.ts';
import { recordings } from './recordings.ts';

const simplify: Readonly<Record<string, (response: GenerateResponse) => unknown>> = {
  'chat-completions': simplifyChat,
  completions: simplifyCompletions,
  messages: simplifyMessages,
  'generate-content': simplifyGenerateContent,
  'interactions': simplifyInteractions,
};

for (const codec of [...(openai.codecs ?? []), ...(anthropic.codecs ?? []), ...(google.codecs ?? [])]) {
  if (codec.operation === 'count-tokens' || codec.operation === 'compact') continue;
  // Forms are held by test/providers/openai/transcriptions.
  if (codec.operation === 'transcribe' || codec.operation === 'translate') continue;
  // Google's images and speech have tests of their own: the recordings of their wires are of other operations.
  if ((codec.operation === 'image' || codec.operation === 'speak') && codec.client === undefined) continue;
  describe(`the codec of ${codec.wire}, over the project's recordings`, () => {
    if (codec.operation === 'moderate')
      return testLaws(plainLaws(codec, recordings, { samples: sampleModerateRequests(codec.wire) }));
    if (codec.operation === 'image')
      return testLaws(plainLaws(codec, recordings, { samples: sampleImageRequests(codec.wire), defaults: [1] }));
    if (codec.operation === 'speak')
      return testLaws(plainLaws(codec, recordings, { samples: sampleSpeakRequests(codec.wire) }));
    if (codec.operation === 'rerank')
      return testLaws(plainLaws(codec, recordings, { samples: sampleRerankRequests(codec.wire) }));
    const laws =
      codec.operation === 'embed'
        ? embedLaws(codec, recordings, { defaults: ['float', 'models/gemini-embedding-001'] })
        : codecLaws(codec, recordings, { ...clientRulesOf(codec.wire), simplify: simplify[codec.wire] });
    testLaws(laws);
  });
}
