import { plainLaws } from '../../../../core/testing/index.ts';
import { transcriptionsCodec, translationsCodec } from '../../../../providers/openai/transcriptions/index.ts';
import { asRecording, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

/** Plain JSON only: a text or a stream passes as it came. Forms are not JSON: recorded-forms.test.ts sends them. */
const recordingsOf = (operation: string, wire: string) =>
  readNextLines(`${operation}.jsonl`)
    .filter(({ request, response }) => /\/audio\/trans/.test(request?.path ?? '') && typeof response.body === 'object')
    .map((line) => asRecording({ ...line, request: null }, wire));

describe('codec laws: transcriptions', () => {
  testLaws(plainLaws(transcriptionsCodec, recordingsOf('transcription', 'transcriptions'), { samples: [] }));
  testLaws(plainLaws(translationsCodec, recordingsOf('translation', 'translations'), { samples: [] }));
});
