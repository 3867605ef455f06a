import type { ErrorObject } from 'ajv';
import { isObject } from '../../canonical/json/members.ts';
import { describePath } from '../describe-path.ts';
import { describeInSection, type DescribeUnknownKey } from '../hints/unknown-key.ts';
import { describeShape } from '../hints/wrong-type.ts';
import type { Finding, Path } from '../problem.ts';
import { describeSuggestion } from '../suggest.ts';

/** How the file defines the value of a path. */
export interface Places {
  /**
   * Whether the value comes from a variable or a file. It is then text, whatever the schema requires, and never shown.
   */
  isInterpolated(path: Path): boolean;
  /** Whether the file sets the value; otherwise it is a default. */
  isWritten(path: Path): boolean;
  /** Default: looks in the section alone. */
  readonly describeUnknownKey?: DescribeUnknownKey;
}

interface Violation {
  readonly path: Path;
  readonly params: Readonly<Record<string, unknown>>;
  /** The invalid value. Quoted only if `shown`. */
  readonly data: unknown;
  /** Whether the value is written literally in the file and is not a secret. */
  readonly shown: boolean;
  /** Whether the file has a setting of this name beside the invalid one. */
  isGiven(name: string): boolean;
  /** The schema that contains the failed keyword. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly describeUnknownKey: DescribeUnknownKey;
}

const typeOf = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isInteger(value))
    return Number.isFinite(value) ? 'a fractional number' : String(value);
  return isObject(value) ? 'a mapping' : typeof value === 'string' ? 'text' : `a ${typeof value}`;
};
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a mapping',
  array: 'a list',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'empty',
};
const list = (values: readonly unknown[], last = 'or'): string => {
  const shown = values.map(String);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)}`;
};
const quote = (value: unknown): string => JSON.stringify(value) ?? '';
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const known = (schema: unknown): readonly string[] => (isObject(schema) ? Object.keys(schema) : []);

const describePattern = ({ path, schema }: Violation): Finding => {
  const examples = asList(schema['examples'] ?? []);
  const shape =
    examples.length > 0
      ? `must look like ${list(examples)}`
      : `must match the pattern ${String(schema['pattern'] ?? schema['format'])}`;
  return { path, rule: 'invalid-value', message: `${describePath(path)} ${shape}.` };
};

const comparisons: Readonly<Record<string, string>> = {
  '<=': 'at most',
  '<': 'less than',
  '>=': 'at least',
  '>': 'more than',
};
const describeBound = ({ path, params, message }: Violation): Finding => {
  const comparison = comparisons[String(params['comparison'])];
  return {
    path,
    rule: 'out-of-range',
    message:
      `${describePath(path)} ` +
      `${comparison === undefined ? message : `must be ${comparison} ${String(params['limit'])}`}.`,
  };
};
const describeEmpty = ({ path, params }: Violation): Finding => ({
  path,
  rule: 'empty-value',
  message:
    `${describePath(path)} ` +
    `${params['limit'] === 1 ? 'must not be empty' : `needs at least ${String(params['limit'])}`}.`,
});

const describers: Readonly<Record<string, (violation: Violation) => Finding>> = {
  additionalProperties: ({ path, params, schema, data, isGiven, describeUnknownKey }) => {
    const key = String(params['additionalProperty']);
    if (key === '<<')
      return {
        path: [...path, key],
        on: 'key',
        rule: 'unknown-key',
        message:
          'Merge keys (<<) are not supported. ' +
          `Write out the settings of ${describePath(path)}, or reuse a whole section with *name.`,
      };
    const free = known(schema['properties']).filter((name) => !isGiven(name));
    return {
      path: [...path, key],
      on: 'key',
      rule: 'unknown-key',
      message: `${quote(key)} is not a setting of ${describePath(path)}.${describeUnknownKey({
        path,
        key,
        value: isObject(data) ? data[key] : undefined,
        free,
      })}`,
    };
  },
  required: ({ path, params }) => ({
    path,
    on: 'key',
    rule: 'missing-key',
    message: `${describePath(path)} needs ${quote(params['missingProperty'])}.`,
  }),
  type: ({ path, params, data, schema }) => {
    const types = list(asList(params['type']).map((type) => typeNames[String(type)] ?? type));
    const examples = asList(schema['examples'] ?? []);
    const wanted = types === 'text' && examples.length > 0 ? `text like ${list(examples)}` : types;
    const remedy =
      params['type'] === 'object'
        ? 'Indent its settings below it by more spaces than its name, or remove the name.'
        : 'Write a value or remove the key.';
    if (data === null)
      return {
        path,
        on: 'key',
        rule: 'empty-value',
        message: `${describePath(path)} is empty, but must be ${wanted}. ${remedy}`,
      };
    return {
      path,
      rule: 'wrong-type',
      message:
        `${describePath(path)} must be ${wanted}, not ${data === '' ? 'empty text' : typeOf(data)}.` +
        describeShape({ path, data, schema }),
    };
  },
  enum: ({ path, params, data, shown }) => {
    const values = asList(params['allowedValues']);
    const suggestion = shown && typeof data === 'string' ? describeSuggestion(data, values.map(String)) : '';
    return {
      path,
      rule: 'invalid-value',
      message: `${describePath(path)} must be ${list(values)}${shown ? `, not ${quote(data)}` : ''}.${suggestion}`,
    };
  },
  const: ({ path, params }) => ({
    path,
    rule: 'invalid-value',
    message: `${describePath(path)} must be ${quote(params['allowedValue'])}.`,
  }),
  pattern: describePattern,
  format: describePattern,
  minimum: describeBound,
  maximum: describeBound,
  exclusiveMinimum: describeBound,
  exclusiveMaximum: describeBound,
  multipleOf: describeBound,
  minLength: describeEmpty,
  minItems: describeEmpty,
  minProperties: describeEmpty,
  uniqueItems: ({ path, params }) => {
    const [first, second] = [Number(params['i']), Number(params['j'])].toSorted((one, other) => one - other);
    return {
      path: [...path, second ?? 0],
      rule: 'duplicate-item',
      message:
        `${describePath([...path, second ?? 0])} is the same as ${describePath([...path, first ?? 0])}. ` +
        'Remove one of them.',
    };
  },
};

const describeName = ({ params, path, schema }: Violation): Finding => {
  const name = String(params['propertyName']);
  const names = isObject(schema['propertyNames']) ? schema['propertyNames'] : {};
  const examples = asList(names['examples'] ?? []);
  return {
    path: [...path, name],
    on: 'key',
    rule: 'invalid-name',
    message:
      `${quote(name)} is not a valid name in ` +
      `${describePath(path)}.${examples.length > 0 ? ` It must look like ${list(examples)}.` : ''}`,
  };
};

/** Errors of ajv that only repeat a more specific one. */
export const isRedundant = (error: ErrorObject): boolean => error.keyword === 'if' || error.keyword === 'propertyNames';

/** Turns an error of ajv into a finding for operators. */
export function describeViolation(error: ErrorObject, path: Path, places: Places): Finding {
  const schema = isObject(error.parentSchema) ? error.parentSchema : {};
  const violation: Violation = {
    path,
    params: error.params,
    data: error.data,
    shown: !places.isInterpolated(path) && schema['writeOnly'] !== true,
    isGiven: (name) => places.isWritten([...path, name]),
    schema,
    message: error.message ?? 'is not valid',
    describeUnknownKey: places.describeUnknownKey ?? describeInSection,
  };
  if (error.propertyName !== undefined)
    return describeName({
      ...violation,
      params: { propertyName: error.propertyName },
      schema: { propertyNames: schema },
    });
  const describe = describers[error.keyword];
  return describe === undefined
    ? { path, rule: 'invalid-value', message: `${describePath(path)} ${violation.message}.` }
    : describe(violation);
}
