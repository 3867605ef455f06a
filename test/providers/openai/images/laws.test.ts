import { expect } from 'chai';
import { createProfile, plainLaws, sampleImageRequests, type SampleRequests } from '../../../../core/testing/index.ts';
import { imageEditsCodec, imagesCodec, imageVariationsCodec } from '../../../../providers/openai/images/index.ts';
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
  it('a request to change images that has none is refused before it is sent', () => {
    const [[, request]] = sampleImageRequests('image-edits') as [SampleRequests<'image'>[number]];
    for (const codec of [imageEditsCodec, imageVariationsCodec])
      expect(() => codec.upstream?.encodeRequest({ ...request, prompt: 'A cat' }, createProfile(codec.wire), () => {}))
        .to.throw('changes images here, and the request has none')
        .with.property('param', 'image');
  });
  if (!hasNextCorpus) return;
  testLaws(plainLaws(imagesCodec, images, { samples: sampleImageRequests('image-generations'), defaults }));
  testLaws(plainLaws(imageEditsCodec, edits, { samples: sampleImageRequests('image-edits'), defaults }));
});
