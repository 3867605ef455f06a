import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { visit, type Scalar } from 'yaml';
import { decodeText, describeUnreadable } from './decode-text.ts';
import type { Problem } from '../problem.ts';
import type { Rule } from '../validate/rules.ts';
import type { Source } from './source.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What one `${…}` stood for. `text` is what it became, and is never shown. */
export type Filling = { readonly text: string } & (
  | { readonly variable: string; readonly isSet: boolean; readonly fallback?: string }
  | { readonly file: string }
);

export interface FilledText {
  /** With its `${…}`. */
  readonly written: string;
  readonly fillings: readonly Filling[];
}

/** Which scalars do not say what they mean: their values are never shown. */
export interface Interpolated {
  /** Text from variables or files took part. */
  readonly filled: ReadonlyMap<Scalar, FilledText>;
  /** The value could not be made: what else is found at these places is noise. */
  readonly unresolved: ReadonlySet<Scalar>;
  /** Files whose text was asked for, absolute; also those that could not be read. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

const EXPRESSION = /\$\$\{|\$\{([^}]*)(\}|$)/g;
const VARIABLE = /^([A-Za-z_]\w*)(?::-(.*))?$/s;
const FILE = /^file:(.+)$/;

type Filled = Filling | { readonly rule: Rule; readonly message: string };

const readSecret = (path: string, file: string): Filled => {
  try {
    return { text: decodeText(readFileSync(file)).replace(/\r?\n$/, ''), file: path };
  } catch (error) {
    return {
      rule: 'unreadable-file',
      message: `The file ${JSON.stringify(path)} cannot be read: ${describeUnreadable(error)}.`,
    };
  }
};

const fillVariable = (inside: string, env: Environment): Filled => {
  const [, name, fallback] = VARIABLE.exec(inside) ?? [];
  if (name === undefined)
    return {
      rule: 'invalid-interpolation',
      message: `"\${${inside}}" is none of \${VAR}, \${VAR:-default} and \${file:/path}. For the characters themselves write $\${.`,
    };
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (fallback !== undefined) {
    const isSet = value !== undefined && value !== '';
    return { text: isSet ? value : fallback, variable: name, isSet, fallback };
  }
  return value === undefined
    ? {
        rule: 'unset-variable',
        message: `The variable ${name} is not set. Set it, or give it a default: \${${name}:-…}.`,
      }
    : { text: value, variable: name, isSet: true };
};

/** Replaces `${…}` in every value of the document; keys are left alone. */
export function interpolateSource(source: Source, env: Environment): Interpolated {
  const filled = new Map<Scalar, FilledText>();
  const unresolved = new Set<Scalar>();
  const flaws: (readonly [offset: number, rule: Rule, message: string])[] = [];
  const files = new Set<string>();
  const folder = dirname(resolve(source.file));

  const fillExpression = (inside: string): Filled => {
    if (inside.includes('${'))
      return {
        rule: 'invalid-interpolation',
        message: 'A "${" stands within another: a default is plain text. For the characters themselves write $${.',
      };
    const [, path] = FILE.exec(inside) ?? [];
    if (path === undefined) return fillVariable(inside, env);
    const file = resolve(folder, path);
    files.add(file);
    return readSecret(path, file);
  };

  const interpolateScalar = (node: Scalar, written: string): string => {
    const [start, end] = node.range ?? [0, 0];
    let from = start;
    return written.replace(EXPRESSION, (expression: string, inside: string | undefined, close: string | undefined) => {
      const offset = source.text.indexOf(expression, from);
      if (offset >= 0) from = offset + expression.length;
      if (inside === undefined) return '${';
      const result: Filled =
        close === '}'
          ? fillExpression(inside)
          : {
              rule: 'invalid-interpolation',
              message: 'The "${" has no closing "}". For the characters themselves write $${.',
            };
      if ('text' in result) {
        filled.set(node, { written, fillings: [...(filled.get(node)?.fillings ?? []), result] });
        return result.text;
      }
      unresolved.add(node);
      flaws.push([offset >= start && offset < end ? offset : start, result.rule, result.message]);
      return expression;
    });
  };

  visit(source.document, {
    Scalar: (key, node) => {
      if (key !== 'key' && typeof node.value === 'string' && node.value.includes('${'))
        node.value = interpolateScalar(node, node.value);
    },
  });
  // Shown when all is filled in: then it is known which texts are secrets.
  return { filled, unresolved, files: [...files], problems: flaws.map((flaw) => source.problemAt(...flaw)) };
}
