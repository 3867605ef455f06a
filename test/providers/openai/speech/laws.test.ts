import { plainLaws, sampleSpeakRequests } from '../../../../core/testing/index.ts';
import { speechCodec } from '../../../../providers/openai/speech/index.ts';
import { asRecording, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

/** Their responses are files, which recordings do not have: corpus.test.ts has them. */
const requests = readNextLines('speech.jsonl')
  .filter(({ request }) => request?.path.endsWith('/audio/speech'))
  .map((line) => asRecording(line, 'speech'))
  .map(({ response: _response, ...recording }) => recording);

describe('codec laws: speech', () => {
  testLaws(plainLaws(speechCodec, requests, { samples: sampleSpeakRequests('speech') }));
});
