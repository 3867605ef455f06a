import { expect } from 'chai';
import { plainLaws, sampleImageRequests } from '../../../../core/testing/index.ts';
import { imageEditsCodec, imagesCodec } from '../../../../providers/openai/images/index.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

const ofPath = (file: string, path: string, wire: string) =>
  readNextLines(file)
    .filter(({ vendor, request }) => vendor === 'openai' && (request === null || request.path === path))
    .filter(({ request }) => request === null || !JSON.stringify(request.body).includes('"multipart"'))
    .map((line) => asRecording(line, wire));

const images = ofPath('images.jsonl', '/v1/images/generations', 'image-generations');
const edits = ofPath('image-edits.jsonl', '/v1/images/edits', 'image-edits');
/** A single image is what a request is for without `n`. */
const defaults = [1];

describe('codec laws: images', () => {
  it('images have recorded traffic', function () {
    if (!hasNextCorpus) this.skip();
    expect([images.length, edits.length]).to.deep.equal([9, 5]);
  });
  if (!hasNextCorpus) return;
  testLaws(plainLaws(imagesCodec, images, { samples: sampleImageRequests('image-generations'), defaults }));
  testLaws(plainLaws(imageEditsCodec, edits, { samples: sampleImageRequests('image-edits'), defaults }));
});
