import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';
import type { Draft } from '../schema/draft.ts';
import type { LocatedExtension } from '../load-extensions.ts';
import type { Finding } from '../problem.ts';
import { composeSchema } from '../schema/compose.ts';
import { compileOnDisk, omitProse } from './compile-on-disk.ts';
import { compileSchema } from './validate.ts';

type AnyLocatedExtension = LocatedExtension<'plugin'> | LocatedExtension<'provider'>;

const describeThrow = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const selectDistinct = (placed: readonly AnyLocatedExtension[]): readonly Extension<ExtensionKind>[] => [
  ...new Map(placed.map(({ extension }) => [`${extension.kind} ${extension.use}`, extension])).values(),
];

/** The compiled schema of all built-ins. `npm run build` creates it; the checkout has none. */
const COMPILED = fileURLToPath(new URL('built-in-settings.cjs', import.meta.url));
const hasCompiled = existsSync(COMPILED);

let last: { readonly text: string; readonly validate: ValidateFunction<Draft> } | undefined;

/** Keeps the last schema: a reload mostly has the same extensions, and loading it is its longest part. */
const compileCached = (schema: JsonObject): ValidateFunction<Draft> => {
  const text = JSON.stringify(schema, omitProse);
  if (last?.text !== text) last = { text, validate: compileOnDisk(text) };
  return last.validate;
};

/** The extensions whose schema cannot be compiled. Only called when the composed schema could not be compiled. */
const findBroken = (
  placed: readonly AnyLocatedExtension[],
): readonly (Finding & { readonly located: AnyLocatedExtension })[] =>
  placed.flatMap((one) => {
    try {
      compileSchema(composeSchema([one.extension]));
      return [];
    } catch (thrown) {
      return [
        {
          located: one,
          path: one.path,
          rule: 'KOINE_EXTENSION_INVALID',
          message: `The schema of ${JSON.stringify(one.extension.use)} is not valid: ${describeThrow(thrown)}.`,
        },
      ];
    }
  });

/**
 * The compiled schema of the whole file. When only built-ins are used, this is the schema of all built-ins: it has the
 * same findings, since the settings of an extension are validated only where `use` names it. An extension with an
 * invalid schema is reported and left out.
 */
export function compileSettings(placed: readonly AnyLocatedExtension[]): {
  readonly validate: ValidateFunction<Draft>;
  readonly findings: readonly Finding[];
} {
  if (hasCompiled && placed.every(({ extension }) => extension.source === 'built-in'))
    return { validate: createRequire(import.meta.url)(COMPILED) as ValidateFunction<Draft>, findings: [] };
  try {
    return { validate: compileCached(composeSchema(selectDistinct(placed))), findings: [] };
  } catch (thrown) {
    const broken = findBroken(placed);
    if (broken.length === 0) throw thrown;
    const valid = placed.filter((one) => !broken.some((finding) => finding.located === one));
    return { validate: compileCached(composeSchema(selectDistinct(valid))), findings: broken };
  }
}
