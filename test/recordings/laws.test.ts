import { fileURLToPath } from 'node:url';
import type { GenerateResponse } from '../../core/index.ts';
import { codecLaws, loadRecordings } from '../../core/testing/index.ts';
import anthropic from '../../providers/anthropic/index.ts';
import google from '../../providers/google/index.ts';
import openai from '../../providers/openai/index.ts';
import { simplifyChat, simplifyGenerateContent, simplifyMessages } from '../core/testing/simplify.ts';
import { clientRulesOf } from '../providers/frame-rules.ts';

const recordings = loadRecordings(fileURLToPath(new URL('../fixtures/recordings/', import.meta.url)));

const simplify: Readonly<Record<string, (response: GenerateResponse) => unknown>> = {
  'chat-completions': simplifyChat,
  messages: simplifyMessages,
  'generate-content': simplifyGenerateContent,
};

for (const codec of [...(openai.codecs ?? []), ...(anthropic.codecs ?? []), ...(google.codecs ?? [])]) {
  if (codec.operation !== 'generate') continue;
  describe(`the codec of ${codec.wire}, over the project's recordings`, () => {
    const own = recordings.filter(({ wire }) => wire === codec.wire);
    for (const { name, run } of codecLaws(codec, own, { ...clientRulesOf(codec.wire), simplify: simplify[codec.wire] }))
      it(name, run);
  });
}
