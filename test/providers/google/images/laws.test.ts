import { plainLaws, sampleImageRequests, type Recording } from '../../../../core/testing/index.ts';
import { geminiImagesCodec } from '../../../../providers/google/images/gemini.ts';
import { imagenCodec } from '../../../../providers/google/images/imagen.ts';
import { asRecording, hasNextCorpus, readNextLines } from '../../../core/testing/next-corpus.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';

const gemini = readNextLines('images.jsonl')
  .filter(({ vendor }) => vendor !== 'openai')
  .map((line) => asRecording(line, 'generate-content'));

const PNG = 'iVBORw0KGgo=';
const imagen: Recording = {
  name: 'two images',
  origin: 'written by hand after https://ai.google.dev/gemini-api/docs/imagen',
  wire: 'predict',
  response: {
    status: 200,
    body: {
      predictions: [
        { mimeType: 'image/png', bytesBase64Encoded: PNG },
        { mimeType: 'image/png', bytesBase64Encoded: PNG },
      ],
    },
  },
  expected: {
    results: [
      { mediaType: 'image/png', base64: PNG },
      { mediaType: 'image/png', base64: PNG },
    ],
    usage: { units: { images: 2 } },
  },
};

describe('codec laws: images of Google', () => {
  if (hasNextCorpus)
    testLaws(plainLaws(geminiImagesCodec, gemini, { samples: sampleImageRequests('generate-content') }));
  testLaws(plainLaws(imagenCodec, [imagen], { samples: sampleImageRequests('predict') }));
});
