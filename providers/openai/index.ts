import { defineProvider, type Endpoint } from '../../core/index.ts';
import { createAddress } from './address.ts';
import { chatCompletionsCodec } from './chat-completions/index.ts';
import { WIRE } from './chat-completions/shape.ts';
import { createChatEdits } from './chat-edits.ts';
import { readKeys } from './credentials.ts';
import { classify } from './error.ts';
import { openAiModels } from './models.ts';
import { openAiSchema, type OpenAiOptions } from './schema.ts';

/** Who reads OpenAI's reasoning blobs again. */
const origin = { provider: 'openai', family: 'openai' } as const;

/** OpenAI, and the codec of the wire that it defined: see README.md. */
export default defineProvider<OpenAiOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'openai',
  schema: openAiSchema,
  codecs: [chatCompletionsCodec],
  models: openAiModels,
  create: (options = {}) => {
    const keys = readKeys(options);
    const address = createAddress(options, keys, '/chat/completions');
    return {
      credentials: keys.credentials,
      endpoint: (model): Endpoint => ({ origin, speaks: [{ operation: 'generate', wire: WIRE, edits: createChatEdits(model), address, classify }] }),
    };
  },
});
