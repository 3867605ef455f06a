import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Extension, ExtensionKind } from '../../extensions/extension.ts';
import type { Draft } from '../schema/draft.ts';
import type { Placed } from '../load-extensions.ts';
import type { Finding } from '../problem.ts';
import { composeSchema } from '../schema/compose.ts';
import { compileSchema } from './validate.ts';

type AnyPlaced = Placed<'plugin'> | Placed<'provider'>;

const describeThrow = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const selectDistinct = (placed: readonly AnyPlaced[]): readonly Extension<ExtensionKind>[] => [
  ...new Map(placed.map(({ extension }) => [`${extension.kind} ${extension.use}`, extension])).values(),
];

/** `npm run build` writes it: the schema of all built-ins, compiled. The checkout has none. */
const COMPILED = fileURLToPath(new URL('built-in-settings.cjs', import.meta.url));
const hasCompiled = existsSync(COMPILED);

let last: { readonly text: string; readonly validate: ValidateFunction<Draft> } | undefined;

/** A reload mostly uses what the configuration before it used, and compiling is the longest part of it. */
const compileAnew = (schema: JsonObject): ValidateFunction<Draft> => {
  const text = JSON.stringify(schema);
  if (last?.text !== text) last = { text, validate: compileSchema(schema) };
  return last.validate;
};

/** Which of the extensions has a schema that cannot be compiled: asked only when all of them together could not. */
const findBroken = (placed: readonly AnyPlaced[]): readonly (Finding & { readonly placed: AnyPlaced })[] =>
  placed.flatMap((one) => {
    try {
      compileSchema(composeSchema([one.extension]));
      return [];
    } catch (thrown) {
      return [
        {
          placed: one,
          path: one.path,
          rule: 'KOINE_EXTENSION_INVALID',
          message: `The schema of ${JSON.stringify(one.extension.use)} is not valid: ${describeThrow(thrown)}.`,
        },
      ];
    }
  });

/**
 * The schema of the whole file, compiled. That of all built-ins finds what a schema of those in use finds: settings of
 * an extension are held to its schema where `use` names it. An extension whose schema is broken is named and left out.
 */
export function compileSettings(placed: readonly AnyPlaced[]): {
  readonly validate: ValidateFunction<Draft>;
  readonly findings: readonly Finding[];
} {
  if (hasCompiled && placed.every(({ extension }) => extension.source === 'built-in'))
    return { validate: createRequire(import.meta.url)(COMPILED) as ValidateFunction<Draft>, findings: [] };
  try {
    return { validate: compileAnew(composeSchema(selectDistinct(placed))), findings: [] };
  } catch (thrown) {
    const broken = findBroken(placed);
    if (broken.length === 0) throw thrown;
    const whole = placed.filter((one) => !broken.some((finding) => finding.placed === one));
    return { validate: compileAnew(composeSchema(selectDistinct(whole))), findings: broken };
  }
}
