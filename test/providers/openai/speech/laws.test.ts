import { expect } from 'chai';
import { plainLaws, sampleSpeakRequests } from '../../../../core/testing/index.ts';
import { speechCodec } from '../../../../providers/openai/speech/index.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

const speech = readNextLines('speech.jsonl')
  .filter(({ request }) => request?.path.endsWith('/audio/speech'))
  .map((line) => asRecording(line, 'speech'));

describe('codec laws: speech', () => {
  it('speech has recorded traffic', function () {
    if (!hasNextCorpus) this.skip();
    expect(speech).to.have.lengthOf(2);
  });
  if (!hasNextCorpus) return;
  testLaws(plainLaws(speechCodec, speech, { samples: sampleSpeakRequests('speech') }));
});
