import type { JsonObject, ModelFamily, ProviderDefinition } from '../../../core/api/index.ts';
import { createCompatibleProvider, type CompatibleVendor } from '../create-provider.ts';
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

/** A vendor as data. `models` with the prefix '' holds for all models of the vendor. */
export const definePreset = (
  vendor: CompatibleVendor & { readonly title: string; readonly baseUrl: string },
): ProviderDefinition<Partial<CompatibleOptions>> => ({
  ...createCompatibleProvider({ ...vendor, models: completeModels(vendor.models ?? []) }),
  schema: vendor.env === undefined ? ownServerSchema : hostedSchema,
});
