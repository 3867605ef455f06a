import {
  createOfferList,
  defineProvider,
  type Endpoint,
  type EndpointWire,
  type OfferPage,
  type Credential,
  type Headers,
  type Services,
  type UpstreamCall,
  type UpstreamRequest,
  readApiKeys,
} from '../../core/api/index.ts';
import { omitUndefined, readObject, readObjects, readText } from '../../core/api/codec.ts';
import { chatCodec } from './chat/index.ts';
import { createEdits } from './edits.ts';
import { embedCodec } from './embed/index.ts';
import { families } from './models.ts';
import { type OllamaOptions, schema, DEFAULT_BASE_URL } from './schema.ts';

const fixed: Headers = { 'content-type': 'application/json' };

/** The server of a user has no keys: its credential is `none`. */
const withoutKey: readonly Credential[] = [{ id: 'none' }];

const hasKey = ({ apiKey = '', apiKeys = [] }: OllamaOptions): boolean =>
  [apiKey, ...apiKeys].some((key) => typeof key !== 'string' || key.trim() !== '');

/** The credentials, and what builds the address and the headers of one path. */
function createAddress(
  options: OllamaOptions,
  services: Services,
): {
  readonly credentials: readonly Credential[];
  readonly at: (suffix: string) => (call: UpstreamCall) => UpstreamRequest;
} {
  const { origin, pathname } = new URL(options.baseUrl ?? DEFAULT_BASE_URL);
  const keys = hasKey(options) ? readApiKeys(options, services) : undefined;
  const byCredential = keys?.prepare((secret): Headers => ({ ...fixed, authorization: `Bearer ${secret}` }));
  return {
    credentials: keys?.credentials ?? withoutKey,
    at: (suffix) => {
      const path = pathname.replace(/\/+$/, '') + suffix;
      return ({ credential, headers, body }) => ({
        origin,
        path,
        headers: { ...headers, ...(byCredential?.get(credential) ?? fixed) },
        body,
      });
    },
  };
}

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
