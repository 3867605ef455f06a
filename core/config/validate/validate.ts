import { createRequire } from 'node:module';
import type * as ajv from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { describeViolation, isEcho, type Places } from './describe-violation.ts';
import type { Draft } from '../schema/draft.ts';
import type { Finding, Path } from '../problem.ts';

/** What every schema is compiled with. */
export const ajvOptions = {
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  verbose: true,
  useDefaults: true,
} as const;

const require = createRequire(import.meta.url);

/** @throws Error of ajv, when the schema is not draft-07 or knows what ajv does not */
export function compileSchema<T = Draft>(schema: JsonObject): ValidateFunction<T> {
  // Loaded with the first schema: an installed gateway has that of the built-ins compiled.
  const { Ajv } = require('ajv') as typeof ajv;
  return new Ajv(ajvOptions).compile<T>(schema);
}

/** `/models/openai~1gpt-4.1/targets/0` as the keys and indexes it means in this data. */
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

/** A variable holds text: where the schema wants a number or a boolean and the text is one, it is taken for it. */
const convertFilled = (data: unknown, errors: readonly ErrorObject[], places: Places): boolean => {
  const converted = errors.filter(({ keyword, instancePath, params, data: text }) => {
    const path = readPointer(instancePath, data);
    const value = keyword === 'type' && places.isFilled(path) ? toScalar(text, [params['type']].flat()) : undefined;
    if (value !== undefined) writeAt(data, path, value);
    return value !== undefined;
  });
  return converted.length > 0;
};

/**
 * Fills defaults into `data` and says what is wrong with it.
 * @returns the draft when nothing is
 */
export function validateData(
  validate: ValidateFunction<Draft>,
  data: unknown,
  places: Places,
): { readonly draft?: Draft; readonly findings: readonly Finding[] } {
  if (validate(data)) return { draft: data, findings: [] };
  if (convertFilled(data, validate.errors ?? [], places) && validate(data)) return { draft: data, findings: [] };
  const findings = (validate.errors ?? [])
    .filter((error) => !isEcho(error))
    .map((error) => describeViolation(error, readPointer(error.instancePath, data), places));
  return { findings };
}
