import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { compileSchema, validateData } from '../../config/validate/validate.ts';
import type { Draft } from '../../config/schema/draft.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import type { ImportHelp } from '../../extensions/importer.ts';

/** The value as a gateway reads it, where `$${` is `${`; undefined if it is that of a variable. */
const readLiteral = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return value.replaceAll('$${', '').includes('${') ? undefined : value.replaceAll('$${', () => '${');
};

/** What importers look up in the built-in providers. */
export function createImportHelp(providers: BuiltIns['provider']): ImportHelp {
  const schemas = new Map<string, ReturnType<typeof compileSchema<Draft>>>();
  const schemaOf = (provider: string): ReturnType<typeof compileSchema<Draft>> => {
    const validate = schemas.get(provider) ?? compileSchema<Draft>(providers[provider]?.schema ?? {});
    schemas.set(provider, validate);
    return validate;
  };
  return {
    starters: (provider) => providers[provider]?.init?.models ?? [],
    refused: (provider, config) => {
      // Validation adds defaults.
      const known = structuredClone(
        omitUndefined(Object.fromEntries(Object.entries(config).map(([name, value]) => [name, readLiteral(value)]))),
      );
      const { findings } = validateData(schemaOf(provider), known, {
        isInterpolated: () => false,
        isWritten: () => true,
      });
      return findings.filter(({ rule }) => rule !== 'missing-key').map(({ path }) => path);
    },
  };
}
