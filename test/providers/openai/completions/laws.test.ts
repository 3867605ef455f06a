import { expect } from 'chai';
import { codecLaws } from '../../../../core/testing/index.ts';
import { completionsCodec } from '../../../../providers/openai/completions/index.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../../../core/testing/next-corpus.ts';
import { simplifyCompletions } from '../../../core/testing/simplify.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';
import { clientRulesOf } from '../../frame-rules.ts';

/** Writer's streams have chunks of another shape, and its choices no finish reason. */
const isOwn = ({ vendor }: { readonly vendor: string }): boolean => vendor !== 'writer';
const lines = readNextLines('completions.jsonl');
const recordings = lines.filter(isOwn).map((line) => asRecording(line, 'completions'));

describe(`codec laws: completions, over ${recordings.length} recordings`, () => {
  it('completions have recorded traffic', function () {
    if (!hasNextCorpus) this.skip();
    expect(recordings).to.have.lengthOf.above(25);
    expect(lines).to.have.lengthOf(recordings.length + 2);
  });
  if (hasNextCorpus)
    testLaws(
      codecLaws(completionsCodec, recordings, { ...clientRulesOf('completions'), simplify: simplifyCompletions }),
    );
});
