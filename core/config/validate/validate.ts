import { createRequire } from 'node:module';
import type * as ajv from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { describeViolation, isRedundant, type Places } from './describe-violation.ts';
import type { Draft } from '../schema/draft.ts';
import type { Finding, Path } from '../problem.ts';

/** The options with which every schema is compiled. */
export const ajvOptions = {
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  verbose: true,
  useDefaults: true,
} as const;

const require = createRequire(import.meta.url);

/** @throws Error of ajv when the schema is not valid draft-07 in strict mode */
export function compileSchema<T = Draft>(schema: JsonObject): ValidateFunction<T> {
  // ajv is loaded on demand: an installed gateway has the schema of the built-ins compiled.
  const { Ajv } = require('ajv') as typeof ajv;
  return new Ajv(ajvOptions).compile<T>(schema);
}

/** Converts a JSON pointer, such as `/models/openai~1gpt-4.1/targets/0`, to the path in this data. */
export function readPointer(pointer: string, data: unknown): Path {
  const path: (string | number)[] = [];
  let value = data;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(key) : key);
    value = Array.isArray(value) ? value[Number(key)] : isObject(value) ? value[key] : undefined;
  }
  return path;
}

const toScalar = (text: unknown, wanted: readonly unknown[]): number | boolean | undefined => {
  if (typeof text !== 'string') return undefined;
  if (wanted.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return (wanted.includes('number') || wanted.includes('integer')) && /^-?\d+(\.\d+)?$/.test(text)
    ? Number(text)
    : undefined;
};

const writeAt = (data: unknown, path: Path, value: unknown): void => {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>(
      (from, key) => (Array.isArray(from) ? from[Number(key)] : isObject(from) ? from[key] : undefined),
      data,
    );
  const last = path.at(-1);
  if (last === undefined) return;
  if (Array.isArray(parent)) parent[Number(last)] = value;
  else if (isObject(parent)) parent[last] = value;
};

/** A variable holds text. Converts it where the schema requires a number or a boolean and the text is one. */
const convertInterpolated = (data: unknown, errors: readonly ErrorObject[], places: Places): boolean => {
  const converted = errors.filter(({ keyword, instancePath, params, data: text }) => {
    const path = readPointer(instancePath, data);
    const value =
      keyword === 'type' && places.isInterpolated(path) ? toScalar(text, [params['type']].flat()) : undefined;
    if (value !== undefined) writeAt(data, path, value);
    return value !== undefined;
  });
  return converted.length > 0;
};

/**
 * Validates `data` and adds defaults to it.
 * @returns the draft if it is valid, and the findings otherwise
 */
export function validateData(
  validate: ValidateFunction<Draft>,
  data: unknown,
  places: Places,
): { readonly draft?: Draft; readonly findings: readonly Finding[] } {
  if (validate(data)) return { draft: data, findings: [] };
  if (convertInterpolated(data, validate.errors ?? [], places) && validate(data)) return { draft: data, findings: [] };
  const findings = (validate.errors ?? [])
    .filter((error) => !isRedundant(error))
    .map((error) => describeViolation(error, readPointer(error.instancePath, data), places));
  return { findings };
}
