import type { GenerateResponse } from '../../core/api/index.ts';
import { codecLaws, embedLaws } from '../../core/testing/index.ts';
import anthropic from '../../providers/anthropic/index.ts';
import google from '../../providers/google/index.ts';
import openai from '../../providers/openai/index.ts';
import { testLaws } from '../core/testing/test-laws.ts';
import { simplifyChat, simplifyGenerateContent, simplifyMessages } from '../core/testing/simplify.ts';
import { clientRulesOf } from '../providers/frame-rules.ts';
import { recordings } from './recordings.ts';

const simplify: Readonly<Record<string, (response: GenerateResponse) => unknown>> = {
  'chat-completions': simplifyChat,
  messages: simplifyMessages,
  'generate-content': simplifyGenerateContent,
};

for (const codec of [...(openai.codecs ?? []), ...(anthropic.codecs ?? []), ...(google.codecs ?? [])]) {
  if (codec.operation === 'count-tokens' || codec.operation === 'compact') continue;
  describe(`the codec of ${codec.wire}, over the project's recordings`, () => {
    const laws =
      codec.operation === 'embed'
        ? embedLaws(codec, recordings, { defaults: ['float', 'models/gemini-embedding-001'] })
        : codecLaws(codec, recordings, { ...clientRulesOf(codec.wire), simplify: simplify[codec.wire] });
    testLaws(laws);
  });
}
