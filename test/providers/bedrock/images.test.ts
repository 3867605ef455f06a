import { plainLaws, sampleImageRequests, type Recording } from '../../../core/testing/index.ts';
import { imagesCodec } from '../../../providers/bedrock/images/index.ts';
import { testLaws } from '../../core/testing/test-laws.ts';

const PNG = 'iVBORw0KGgo=';
const JPEG = '/9j/';
const nova: Recording = {
  name: 'two images of Nova Canvas',
  origin: 'written by hand after https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html',
  wire: 'bedrock-images',
  response: { status: 200, body: { images: [PNG, PNG], error: null } },
  expected: {
    results: [
      { mediaType: 'image/png', base64: PNG },
      { mediaType: 'image/png', base64: PNG },
    ],
    usage: { units: { images: 2 } },
  },
};
const stability: Recording = {
  name: 'an image of Stability AI',
  origin:
    'written by hand after https://docs.aws.amazon.com/bedrock/latest/userguide/' +
    'model-parameters-diffusion-stable-image-core-text-image-request-response.html',
  wire: 'bedrock-images',
  response: { status: 200, body: { seeds: [2130420379], finish_reasons: [null], images: [JPEG] } },
  expected: { results: [{ mediaType: 'image/jpeg', base64: JPEG }], usage: { units: { images: 1 } } },
};

describe('codec laws: images of Bedrock', () => {
  // PNG is the default, and the vendor reads the type of an image from its bytes.
  const defaults = ['png', 'image/png'];
  testLaws(plainLaws(imagesCodec, [nova, stability], { samples: sampleImageRequests('bedrock-images'), defaults }));
});
