import {
  createOfferList,
  defineProvider,
  type Endpoint,
  type EndpointWire,
  type OfferPage,
} from '../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../core/api/codec.ts';
import { createAddress } from './address.ts';
import { chatCodec } from './chat/index.ts';
import { createEdits } from './edits.ts';
import { embedCodec } from './embed/index.ts';
import { families } from './models.ts';
import { type OllamaOptions, schema } from './schema.ts';

/** The models of the server, without the tag that is the default: https://docs.ollama.com/api/tags */
const readModelPage = (body: unknown): OfferPage => ({
  models: readObjects(readObject(body)['models']).map(({ name }) => ({ name: readText(name).replace(/:latest$/, '') })),
});

/** Models of an Ollama server by its native API: https://docs.ollama.com/api */
export default defineProvider<OllamaOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'ollama',
  schema,
  codecs: [chatCodec, embedCodec],
  models: families,
  create: (options, services) => {
    const { credentials, at } = createAddress(options, services);
    const edits = createEdits(options);
    const wires: readonly EndpointWire[] = [
      omitUndefined({
        operation: 'generate',
        wire: chatCodec.wire,
        framing: 'ndjson',
        buildRequest: at('/api/chat'),
        edits,
      }),
      omitUndefined({ operation: 'embed', wire: embedCodec.wire, buildRequest: at('/api/embed'), edits }),
    ];
    // A closed connection ends the generation.
    const endpoint: Endpoint = { origin: { provider: 'ollama', family: 'ollama' }, wires, cancelEndsCharges: true };
    return {
      credentials,
      endpoint: () => endpoint,
      modelList: createOfferList({ address: at('/api/tags'), read: readModelPage }),
    };
  },
});
