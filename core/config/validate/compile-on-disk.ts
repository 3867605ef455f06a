import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type { ValidateFunction } from 'ajv';
import type * as ajv from 'ajv';
import type standalone from 'ajv/dist/standalone/index.js';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Draft } from '../schema/draft.ts';
import { ajvOptions, compileSchema } from './validate.ts';

/** An installed package has the schema of its built-ins compiled. */
export const isCheckout = import.meta.url.endsWith('.ts');

/** Beside the compiled code of the checkout: a user who can write there can change the packages themselves. */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/koine-gateway/settings/', import.meta.url));
const require = createRequire(import.meta.url);

/** Descriptions are for editors, which read gateway.schema.json. A setting of that name is an object. */
export const omitProse = (name: string, value: unknown): unknown =>
  name === 'description' && typeof value === 'string' ? undefined : value;

/**
 * Compiles a schema to the text of a CommonJS module that exports its validation.
 * @throws Error of ajv when the schema is not valid draft-07 in strict mode
 */
export function writeValidation(text: string): string {
  const { Ajv } = require('ajv') as typeof ajv;
  const { default: write } = require('ajv/dist/standalone') as typeof standalone;
  const compiler = new Ajv({ ...ajvOptions, code: { source: true } });
  return write(compiler, compiler.compile(JSON.parse(text) as JsonObject));
}

/** A rename makes the file visible whole, whichever of several processes is first. */
const save = (file: string, code: string): void => {
  const draft = join(folder, `${randomUUID()}.cjs`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    writeFileSync(draft, code, { mode: 0o644 });
    renameSync(draft, file);
  } catch {
    // Another user may own the checkout: then nothing is kept.
  }
};

/** Without `require`, which would keep each module for the life of the process, however many schemas it has seen. */
const load = (file: string): ValidateFunction<Draft> => {
  const module: { exports: unknown } = { exports: undefined };
  const parameters = ['module', 'exports', 'require'];
  compileFunction(readFileSync(file, 'utf8'), parameters, { filename: file })(module, {}, require);
  return module.exports as ValidateFunction<Draft>;
};

/**
 * The validation of a schema, compiled once for all processes of a checkout: compiling takes longer than everything
 * else that a start does.
 * @param text the schema as JSON, without prose
 * @throws Error of ajv when the schema is not valid draft-07 in strict mode
 */
export function compileOnDisk(text: string): ValidateFunction<Draft> {
  const { version } = require('ajv/package.json') as { readonly version: string };
  const hash = createHash('sha256').update(version).update(JSON.stringify(ajvOptions)).update(text).digest('hex');
  const file = join(folder, `${hash}.cjs`);
  if (!existsSync(file)) save(file, writeValidation(text));
  try {
    return load(file);
  } catch {
    return compileSchema(JSON.parse(text) as JsonObject);
  }
}
