import { expect } from 'chai';
import { plainLaws } from '../../../../core/testing/index.ts';
import { transcriptionsCodec, translationsCodec } from '../../../../providers/openai/transcriptions/index.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

/** Plain JSON only: a text or a stream passes as it came. Forms are not JSON: recorded-forms.test.ts sends them. */
const recordingsOf = (operation: string, wire: string) =>
  readNextLines(`${operation}.jsonl`)
    .filter(({ request, response }) => /\/audio\/trans/.test(request?.path ?? '') && typeof response.body === 'object')
    .map((line) => asRecording({ ...line, request: null }, wire));

const transcriptions = recordingsOf('transcription', 'transcriptions');
const translations = recordingsOf('translation', 'translations');

describe('codec laws: transcriptions', () => {
  it('transcriptions have recorded traffic', function () {
    if (!hasNextCorpus) this.skip();
    expect([transcriptions.length, translations.length]).to.deep.equal([12, 5]);
  });
  if (!hasNextCorpus) return;
  testLaws(plainLaws(transcriptionsCodec, transcriptions, { samples: [] }));
  testLaws(plainLaws(translationsCodec, translations, { samples: [] }));
});
