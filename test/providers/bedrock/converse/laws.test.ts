import { join } from 'node:path';
import { codecLaws, loadRecordings } from '../../../../core/testing/index.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';
import { converseCodec } from '../../../../providers/bedrock/converse/index.ts';

/** Streams stand there as server-sent events, so that they can be read: the frames are those of the event stream. */
const recordings = loadRecordings(join(import.meta.dirname, 'recordings'));

describe('bedrock: the laws of codecs', () => {
  testLaws(codecLaws(converseCodec, recordings));
});
