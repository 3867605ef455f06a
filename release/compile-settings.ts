import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { builtIns } from '../core/built-ins.ts';
import { listBuiltIns } from '../core/config/schema/load-schema.ts';
import { composeSchema } from '../core/config/schema/compose.ts';
import { ajvOptions } from '../core/config/validate/validate.ts';
import type standalone from 'ajv/dist/standalone/index.js';

const writeCode = createRequire(import.meta.url)('ajv/dist/standalone').default as typeof standalone.default;

/** Descriptions are for editors, which read gateway.schema.json. A setting of that name is an object. */
const omitProse = (name: string, value: unknown): unknown =>
  name === 'description' && typeof value === 'string' ? undefined : value;

/**
 * Compiles the schema of a configuration with all built-ins to a module. Compiling it at every start would take longer
 * than everything else that a start does.
 * @param file the module that `core/config/validate/compile-settings.ts` imports
 */
export async function compileBuiltInSettings(file: string): Promise<void> {
  const ajv = new Ajv({ ...ajvOptions, code: { source: true } });
  const schema = JSON.stringify(composeSchema(await listBuiltIns(builtIns)), omitProse);
  const validate = ajv.compile(JSON.parse(schema) as object);
  writeFileSync(file, writeCode(ajv, validate));
}
