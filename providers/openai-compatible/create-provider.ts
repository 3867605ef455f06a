import {
  createOfferList,
  createStoredCalls,
  defineProvider,
  readApiKeys,
  type Endpoint,
  type EndpointWire,
  type InitModel,
  type ModelFamily,
  type ProviderDefinition,
  type ShippedPrice,
} from '../../core/api/index.ts';
import { createLimitReader, omitUndefined, type Classify } from '../../core/api/codec.ts';
import { createAddress, readKeys } from './address.ts';
import { checkSettings } from './check.ts';
import { createChooseWire } from './choose-wire.ts';
import { createEdits, editEmbeddings, editRoles } from './edits.ts';
import { readModelPage } from './model-list.ts';
import { DEFAULT_WIRES, operations, type CompatibleOperation } from './operations.ts';
import { addReasoning, findRow, sayReasoning, type ReasoningRow } from './reasoning.ts';
import { refuses } from './refuses.ts';
import { createCompatibleSchema, type CompatibleOptions, type Quirks } from './schema.ts';

export type { ReasoningRow } from './reasoning.ts';
export type { CompatibleOperation, CompatibleWire } from './operations.ts';
export type { BodySettings, CompatibleOptions, Quirks } from './schema.ts';

/** How chat completions of one model are called. */
export type ChatTraits = Pick<EndpointWire, 'edits' | 'capMember' | 'effortMember'>;

/** Vendors name the same open model with and without its maker. */
const suggest = (name: string, index: number): InitModel => {
  const role = (['strong', 'fast'] as const)[index];
  const as = name.slice(name.lastIndexOf('/') + 1);
  return omitUndefined({ name, role, as: as === name ? undefined : as });
};

/** How speech of one model is called. */
export type SpeechTraits = Pick<EndpointWire, 'edits'>;

/** How a vendor differs from `openai-compatible`. */
export interface CompatibleVendor {
  /** Lower-case letters, digits and dashes. Proofs of reasoning are only sent back to the vendor of this name. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The default of `baseUrl`. Absent: the setting is required. */
  readonly baseUrl?: string;
  /**
   * The environment variable of the API key, which `koine init` writes. With it the vendor needs a key: its models are
   * unavailable without one. Absent: calls without a key are sent.
   */
  readonly env?: string;
  /** Names of models that `koine init` writes: first the strongest, then a faster one. */
  readonly suggested?: readonly string[];
  /** Capabilities of the models by prefix. Default: tools take JSON, all else is allowed. */
  readonly models?: readonly ModelFamily[];
  readonly prices?: readonly ShippedPrice[];
  /** Refused members, in addition to those of all servers of this kind. */
  readonly refuses?: readonly string[];
  /** The defaults of the settings. */
  readonly quirks?: Quirks;
  /**
   * How chat completions of a model differ from those of other servers, where no setting expresses it. Called once per
   * target; its edits come before those of the settings.
   */
  readonly chat?: (model: string) => ChatTraits;
  /** The same for speech. */
  readonly speech?: (model: string) => SpeechTraits;
  /**
   * How the models take a request to reason. Absent, or no row for a model: `reasoning_effort` is sent as it is.
   * @example reasoning: [{ models: ['acme-think'], efforts: ['low', 'high'] }, { models: [''], efforts: [] }]
   */
  readonly reasoning?: readonly ReasoningRow[];
  /** Classifies failures that the wire alone cannot distinguish. */
  readonly classify?: Classify;
}

/** What all such models have in common: tools take JSON. */
const unknownModels: readonly ModelFamily[] = [{ prefix: '', capabilities: { customTools: false } }];

const wireSettings: Readonly<Record<CompatibleOperation, Pick<EndpointWire, 'operation' | 'edits' | 'capMember'>>> = {
  // All these servers read `max_tokens`. Some accept `max_completion_tokens` but ignore it, so there would be no cap:
  // https://github.com/ollama/ollama/blob/main/docs/openai.md
  chat: { operation: 'generate', edits: editRoles, capMember: 'max_tokens' },
  completions: { operation: 'generate' },
  embeddings: { operation: 'embed', edits: editEmbeddings },
  moderations: { operation: 'moderate' },
  rerank: { operation: 'rerank' },
  transcriptions: { operation: 'transcribe' },
  translations: { operation: 'translate' },
  speech: { operation: 'speak' },
  images: { operation: 'image' },
  imageEdits: { operation: 'image' },
  imageVariations: { operation: 'image' },
  tokenize: { operation: 'count-tokens' },
  responses: { operation: 'generate' },
  messages: { operation: 'generate' },
  compact: { operation: 'compact' },
};

const isOperation = (name: string): name is CompatibleOperation => name in operations;
/** https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers, which other servers also send. */
const readLimits = createLimitReader(
  ['requests', 'tokens'].map((unit) => ({
    unit,
    limit: `x-ratelimit-limit-${unit}`,
    remaining: `x-ratelimit-remaining-${unit}`,
  })),
);

/** Few servers compact conversations: those whose settings have the path. */
const listOperations = (wire: string, { paths }: CompatibleOptions): readonly CompatibleOperation[] =>
  Object.keys(operations)
    .filter(isOperation)
    .filter((name) => operations[name].wire === wire && (name !== 'compact' || paths?.compact !== undefined));

const prepareWires = (
  options: CompatibleOptions,
  classify: Classify | undefined,
  traits: Partial<Record<CompatibleOperation, ChatTraits>>,
  row: ReasoningRow | undefined,
): readonly { readonly operation: CompatibleOperation; readonly prepared: Omit<EndpointWire, 'buildRequest'> }[] =>
  (options.wires ?? DEFAULT_WIRES).flatMap((wire) =>
    listOperations(wire, options).map((operation) => {
      const settings = wireSettings[operation];
      const own = traits[operation] ?? {};
      const prepared = omitUndefined<Omit<EndpointWire, 'buildRequest'>>({
        wire,
        ...settings,
        ...own,
        ...createEdits(options, [
          settings.edits,
          own.edits,
          operation === 'chat' && row ? sayReasoning(row) : undefined,
        ]),
        budgetMember: operation === 'chat' ? row?.budgetMember : undefined,
        readLimits,
        classify,
        omitsFinish: options.omitsFinishReason === true ? true : undefined,
        thinkTags: options.thinkTags === true ? true : undefined,
        refusesUsageOption: options.streamOptions === false ? true : undefined,
        streams: options.plainWires?.some((plain) => plain === wire) === true ? false : undefined,
        keepsUsage: options.correctUsage === false ? true : undefined,
      });
      return { operation, prepared };
    }),
  );

/** The settings with the defaults of the vendor. At another address nothing is sent to the vendor's. */
const fillIn = (options: Partial<CompatibleOptions>, baseUrl: string, quirks: Quirks): CompatibleOptions => {
  const { messagesUrl, wires, ...others } = quirks;
  const isMoved = (options.baseUrl ?? baseUrl) !== baseUrl && messagesUrl !== undefined;
  return isMoved && options.messagesUrl === undefined
    ? omitUndefined({ baseUrl, ...others, wires: wires?.filter((wire) => wire !== 'messages'), ...options })
    : { baseUrl, ...quirks, ...options };
};

/**
 * Defines the provider of a vendor that speaks a wire of OpenAI. Its settings are those of `openai-compatible`; the
 * vendor gives their defaults.
 * @example
 * export default createCompatibleProvider({
 *   name: 'acme',
 *   baseUrl: 'https://api.acme.example/v1',
 *   env: 'ACME_API_KEY',
 *   quirks: { auth: { header: 'x-api-key' }, streamOptions: false },
 * });
 */
export function createCompatibleProvider(vendor: CompatibleVendor): ProviderDefinition<Partial<CompatibleOptions>> {
  const { name, baseUrl = '', env, suggested = [], prices, quirks = {}, classify, reasoning = [] } = vendor;
  const models = addReasoning(vendor.models ?? unknownModels, reasoning);
  const origin = { provider: name, family: name };
  const complete = (options: Partial<CompatibleOptions>): CompatibleOptions => fillIn(options, baseUrl, quirks);
  return defineProvider<Partial<CompatibleOptions>>(
    omitUndefined({
      kind: 'provider',
      apiVersion: 1,
      name,
      schema: createCompatibleSchema({
        title: vendor.title ?? name,
        description: vendor.description ?? `The models of ${vendor.title ?? name}.`,
        ...(vendor.baseUrl === undefined ? {} : { baseUrl }),
        needsKey: env !== undefined,
        quirks,
      }),
      models,
      prices,
      refuses: [...refuses, ...(vendor.refuses ?? [])],
      init: env === undefined ? undefined : { env: [env], models: suggested.map(suggest) },
      check: (options) => checkSettings(complete(options)),
      create: (given, services) => {
        const options = complete(given);
        const keys = env === undefined ? readKeys(options, services) : readApiKeys(options, services);
        return {
          credentials: keys.credentials,
          endpoint: (model): Endpoint => {
            const traits = { chat: vendor.chat?.(model), speech: vendor.speech?.(model) };
            const wires = prepareWires(options, classify, traits, findRow(reasoning, model));
            return {
              origin,
              ...createChooseWire(options.wires ?? DEFAULT_WIRES),
              wires: wires.map(({ operation, prepared }) => ({
                ...prepared,
                buildRequest: createAddress(options, keys, operation, model),
              })),
              cancelEndsCharges: options.cancelEndsCharges === true,
            };
          },
          modelList: createOfferList({ address: createAddress(options, keys, 'models', ''), read: readModelPage }),
          // A server that stores nothing responds with its own 404.
          ...((options.wires ?? DEFAULT_WIRES).includes('responses')
            ? { stored: [createStoredCalls('responses', createAddress(options, keys, 'responses', ''))] }
            : {}),
        };
      },
    }),
  );
}
