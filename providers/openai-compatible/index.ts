import { defineProvider, type Endpoint, type ModelFamily, type EndpointWire } from '../../core/index.ts';
import { createAddress } from './address.ts';
import { readKeys } from './credentials.ts';
import { editEmbeddings, editRoles } from './edits.ts';
import { readLimits } from './read-limits.ts';
import { refuses } from './refuses.ts';
import { compatibleSchema, DEFAULT_WIRES, paths, type CompatibleOptions, type CompatibleWire } from './schema.ts';

/** Proofs of other vendors are never sent to such a server. */
const origin = { provider: 'openai-compatible', family: 'openai-compatible' } as const;

const wireSettings: Readonly<Record<CompatibleWire, Pick<EndpointWire, 'operation' | 'edits' | 'capMember'>>> = {
  // All these servers read `max_tokens`. Some accept `max_completion_tokens` but ignore it, so there would be no cap:
  // https://github.com/ollama/ollama/blob/main/docs/openai.md
  'chat-completions': { operation: 'generate', edits: editRoles, capMember: 'max_tokens' },
  'embeddings': { operation: 'embed', edits: editEmbeddings },
  'responses': { operation: 'generate' },
};

/** The models are not known. What they have in common: tools take JSON. */
const models: readonly ModelFamily[] = [{ prefix: '', capabilities: { customTools: false } }];

/** Any server with a wire of OpenAI. The codecs are found by the names of the wires: see README.md. */
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
      ...wireSettings[wire],
      buildRequest: createAddress(options, keys, paths[wire]),
      ...own,
    }));
    const endpoint: Endpoint = { origin, wires, cancelEndsCharges: options.cancelEndsCharges === true };
    return { credentials: keys.credentials, endpoint: () => endpoint };
  },
});
