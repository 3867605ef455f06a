import { expect } from 'chai';
import { plainLaws, sampleSpeakRequests, type Recording } from '../../../../core/testing/index.ts';
import { geminiSpeechCodec } from '../../../../providers/google/speech/gemini.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

const recordings = readNextLines('speech.jsonl')
  .filter(({ vendor }) => vendor === 'google')
  .map((line) => asRecording(line, 'generate-content'));

const written: Recording = {
  name: 'written',
  origin: 'written by hand after https://ai.google.dev/gemini-api/docs/speech-generation',
  wire: 'generate-content',
  request: {
    headers: {},
    body: {
      model: 'gemini-2.5-flash-preview-tts',
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
    },
  },
  response: {
    status: 200,
    body: {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: 'CwALABAADQATABIA' } }],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: {
        promptTokenCount: 2,
        candidatesTokenCount: 25,
        totalTokenCount: 27,
        candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 25 }],
      },
    },
  },
  expected: {
    results: [{ base64: 'CwALABAADQATABIA', mediaType: 'audio/L16;codec=pcm;rate=24000' }],
    usage: { inputUncached: 2, output: 25, outputAudio: 25 },
  },
};

describe('codec laws: speech of Google', () => {
  it('speech of Google has recorded traffic', function () {
    if (!hasNextCorpus) this.skip();
    expect(recordings).to.have.lengthOf(1);
  });
  testLaws(
    plainLaws(geminiSpeechCodec, [written, ...recordings], { samples: sampleSpeakRequests('generate-content') }),
  );
});
