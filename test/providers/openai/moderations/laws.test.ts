import { expect } from 'chai';
import { plainLaws, sampleModerateRequests } from '../../../../core/testing/index.ts';
import { moderationsCodec } from '../../../../providers/openai/moderations/index.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

const recordings = readNextLines('moderation.jsonl').map((line) => asRecording(line, 'moderations'));

describe('codec laws: moderations', () => {
  it('moderations have recorded traffic', function () {
    if (!hasNextCorpus) this.skip();
    expect(recordings).to.have.lengthOf(6);
  });
  if (hasNextCorpus)
    testLaws(plainLaws(moderationsCodec, recordings, { samples: sampleModerateRequests('moderations') }));
});
