import { defineProvider, type Endpoint, type ModelFamily, type EndpointWire } from '../../core/index.ts';
import { createAddress } from './address.ts';
import { readKeys } from './credentials.ts';
import { editEmbeddings, editRoles } from './edits.ts';
import { readLimits } from './read-limits.ts';
import { refuses } from './refuses.ts';
import { compatibleSchema, DEFAULT_WIRES, paths, type CompatibleOptions, type CompatibleWire } from './schema.ts';

/** Nothing is known of who reads the proofs of such a server again, but that it is no vendor whose proofs are its own. */
const origin = { provider: 'openai-compatible', family: 'openai-compatible' } as const;

const manners: Readonly<Record<CompatibleWire, Pick<EndpointWire, 'operation' | 'edits' | 'capMember'>>> = {
  // Every such server knows `max_tokens`; the newer name some take and ignore, and the answer then has no cap at all:
  // https://github.com/ollama/ollama/blob/main/docs/openai.md
  'chat-completions': { operation: 'generate', edits: editRoles, capMember: 'max_tokens' },
  'embeddings': { operation: 'embed', edits: editEmbeddings },
  'responses': { operation: 'generate' },
};

/** Nothing is known of its models but what such servers have in common: tools take JSON. */
const models: readonly ModelFamily[] = [{ prefix: '', capabilities: { customTools: false } }];

/** Any server that speaks a wire of OpenAI; the codecs are borrowed by the wires' names: see README.md. */
export default defineProvider<CompatibleOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'openai-compatible',
  schema: compatibleSchema,
  models,
  refuses,
  create: (options) => {
    const keys = readKeys(options);
    const own = { readLimits, ...(options.omitsFinishReason === true ? { omitsFinish: true } : {}) };
    const wires = (options.wires ?? DEFAULT_WIRES).map((wire): EndpointWire => ({
      wire,
      ...manners[wire],
      buildRequest: createAddress(options, keys, paths[wire]),
      ...own,
    }));
    const endpoint: Endpoint = { origin, wires, cancelEndsCharges: options.cancelEndsCharges === true };
    return { credentials: keys.credentials, endpoint: () => endpoint };
  },
});
