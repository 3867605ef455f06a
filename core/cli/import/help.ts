import { compileSchema, validateData } from '../../config/validate/validate.ts';
import type { Draft } from '../../config/schema/draft.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import type { ImportHelp } from '../../extensions/importer.ts';

const isReference = (value: unknown): boolean => typeof value === 'string' && value.includes('${');

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
      // Values of variables are unknown, and validation adds defaults.
      const known = structuredClone(
        Object.fromEntries(Object.entries(config).filter(([, value]) => !isReference(value))),
      );
      const { findings } = validateData(schemaOf(provider), known, {
        isInterpolated: () => false,
        isWritten: () => true,
      });
      return findings.filter(({ rule }) => rule !== 'missing-key').map(({ path }) => path);
    },
  };
}
