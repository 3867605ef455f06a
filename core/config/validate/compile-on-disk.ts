import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { ValidateFunction } from 'ajv';
import type * as ajv from 'ajv';
import type standalone from 'ajv/dist/standalone/index.js';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Draft } from '../schema/draft.ts';
import { ajvOptions, compileSchema } from './validate.ts';

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
  const folder = dirname(file);
  const draft = join(folder, `${randomUUID()}.cjs`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    writeFileSync(draft, code, { mode: 0o644 });
    renameSync(draft, file);
  } catch {
    // The user of the gateway may not write there: then nothing is kept.
  }
};

/** Without `require`, which would keep each module for the life of the process, however many schemas it has seen. */
const run = (code: string, file: string): ValidateFunction<Draft> => {
  const module: { exports: unknown } = { exports: undefined };
  const parameters = ['module', 'exports', 'require'];
  compileFunction(code, parameters, { filename: file })(module, {}, require);
  return module.exports as ValidateFunction<Draft>;
};

/** @returns undefined if there is no such file, or if it is damaged: a host may have lost power */
const load = (file: string): ValidateFunction<Draft> | undefined => {
  try {
    const validate = run(readFileSync(file, 'utf8'), file);
    return typeof validate === 'function' ? validate : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The validation of a schema, compiled once for all processes: compiling takes longer than everything else that a
 * start does. It is kept beside the compiled code of the gateway, if Node keeps that (`bin/quick-start.js`): who can
 * write there can change the gateway itself.
 * @param text the schema as JSON, without prose
 * @throws Error of ajv when the schema is not valid draft-07 in strict mode
 */
export function compileOnDisk(text: string): ValidateFunction<Draft> {
  const cache = getCompileCacheDir();
  if (cache === undefined) return compileSchema(JSON.parse(text) as JsonObject);
  const { version } = require('ajv/package.json') as { readonly version: string };
  const hash = createHash('sha256').update(version).update(JSON.stringify(ajvOptions)).update(text).digest('hex');
  const file = join(cache, 'settings', `${hash}.cjs`);
  const kept = load(file);
  if (kept !== undefined) return kept;
  const code = writeValidation(text);
  save(file, code);
  return run(code, file);
}
