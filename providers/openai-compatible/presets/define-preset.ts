import type { JsonObject, ModelFamily, ProviderDefinition } from '../../../core/api/index.ts';
import { readPriceFile } from '../../../core/api/internal.ts';
import { createCompatibleProvider, type CompatibleVendor } from '../create-provider.ts';
import { unknownEfforts } from '../reasoning.ts';
import { createCompatibleSchema, type CompatibleOptions } from '../schema.ts';

/** Defaults of the settings that are the same for every vendor. */
const ownDefaults: ReadonlySet<string> = new Set(['apiKey', 'apiKeys']);

/**
 * One schema for all presets, so that twenty of them are no larger than one. It has no defaults for what differs: those
 * of a vendor are in its preset, and in docs/operate/vendors.md.
 */
const createSchema = (needsKey: boolean): JsonObject => {
  const schema = createCompatibleSchema({
    title: 'A vendor with an API like that of OpenAI',
    description:
      'Settings of a preset of openai-compatible. All are optional: the defaults are those of the vendor ' +
      '(docs/operate/vendors.md). A setting replaces the default as a whole.',
    baseUrl: '',
    needsKey,
    quirks: {},
  });
  const properties = schema['properties'] as Readonly<Record<string, JsonObject>>;
  const bare = Object.entries(properties).map(([name, { default: preset, ...property }]) => [
    name,
    ownDefaults.has(name) ? { ...property, default: preset } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(bare) };
};

const hostedSchema = createSchema(true);
const ownServerSchema = createSchema(false);

/** Tools of all such models take JSON, also of those that a preset does not list. */
const completeModels = (models: readonly ModelFamily[]): readonly ModelFamily[] =>
  [{ prefix: '', capabilities: {} }, ...models.filter(({ prefix }) => prefix !== '')].map(
    ({ prefix, capabilities }) => {
      const ofAll = models.find((family) => family.prefix === '')?.capabilities;
      return { prefix, capabilities: { customTools: false, ...ofAll, ...capabilities } };
    },
  );

interface Preset extends Omit<CompatibleVendor, 'prices'> {
  readonly title: string;
  readonly baseUrl: string;
  /** They are in `prices/`, in the file with the name of the vendor. */
  readonly hasPrices?: true;
}

/**
 * A vendor as data. `models` with the prefix '' holds for all models of the vendor. With `reasoning`, a model without a
 * row gets no effort.
 */
export const definePreset = ({
  hasPrices,
  models = [],
  reasoning,
  ...vendor
}: Preset): ProviderDefinition<Partial<CompatibleOptions>> => ({
  ...createCompatibleProvider({
    ...vendor,
    models: completeModels(models),
    ...(reasoning && { reasoning: [...reasoning, unknownEfforts] }),
    ...(hasPrices === true && { prices: readPriceFile(new URL(`./prices/${vendor.name}.yaml`, import.meta.url)) }),
  }),
  schema: vendor.env === undefined ? ownServerSchema : hostedSchema,
});
