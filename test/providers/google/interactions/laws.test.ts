import { codecLaws } from '../../../../core/testing/index.ts';
import { interactionsCodec } from '../../../../providers/google/interactions/index.ts';
import { asRecording, readNextLines } from '../../../core/testing/next-corpus.ts';
import { simplifyInteractions } from '../../../core/testing/simplify.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';
import { clientRulesOf } from '../../frame-rules.ts';

const recordings = readNextLines('interactions.jsonl').map((line) => asRecording(line, 'interactions'));

describe('laws of the interactions codec', () => {
  if (recordings.length === 0) it('the codec laws hold over recorded traffic');
  const options = { ...clientRulesOf('interactions'), simplify: simplifyInteractions };
  if (recordings.length > 0) testLaws(codecLaws(interactionsCodec, recordings, options));
});
