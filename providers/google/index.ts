import { defineProvider, type Endpoint, type Speech } from '../../core/index.ts';
import { createAddress, type Methods } from './address.ts';
import { classify } from './classify.ts';
import { readKeys } from './credentials.ts';
import { createEdits } from './edits/index.ts';
import { generateContentCodec } from './generate-content/index.ts';
import { googleModels } from './models.ts';
import { googleSchema, type GoogleOptions } from './schema.ts';

/** Who reads Google's thought signatures again: nothing is known of models that do not read those of others. */
const origin = { provider: 'google', family: 'google' } as const;

const generating: Methods = { plain: ':generateContent', streamed: ':streamGenerateContent?alt=sse' };

/** Gemini and Gemma, and the codec of the wire that Google defined: see README.md. */
export default defineProvider<GoogleOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'google',
  schema: googleSchema,
  codecs: [generateContentCodec],
  models: googleModels,
  create: (options = {}) => {
    const keys = readKeys(options);
    return {
      credentials: keys.credentials,
      endpoint: (model): Endpoint => {
        const speech: Speech = { operation: 'generate', wire: generateContentCodec.wire, ...createEdits(model), address: createAddress(options, keys, model, generating), classify };
        return { origin, speaks: [speech] };
      },
    };
  },
});
