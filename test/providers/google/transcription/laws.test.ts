import { plainLaws, type Recording } from '../../../../core/testing/index.ts';
import { expect } from 'chai';
import { geminiTranscribeCodec, geminiTranslateCodec } from '../../../../providers/google/transcription/gemini.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

const recordings = readNextLines('transcription.jsonl')
  .filter(({ vendor }) => vendor === 'google')
  .map((line) => asRecording(line, 'generate-content'));

const written: Recording = {
  name: 'written',
  origin: 'written by hand after https://ai.google.dev/gemini-api/docs/audio',
  wire: 'generate-content',
  response: {
    status: 200,
    body: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 30,
        candidatesTokenCount: 2,
        promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 25 }],
      },
    },
  },
  expected: {
    text: 'Hello.',
    usage: { inputUncached: 30, inputAudio: 25, output: 2 },
  },
};

describe('codec laws: speech to text of Google', () => {
  it('speech to text of Google has recorded traffic', function () {
    if (!hasNextCorpus) this.skip();
    expect(recordings).to.have.lengthOf(1);
  });
  testLaws(plainLaws(geminiTranscribeCodec, [written, ...recordings], { samples: [] }));
  testLaws(plainLaws(geminiTranslateCodec, [written], { samples: [] }));
});
