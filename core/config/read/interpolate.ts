import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Scalar } from 'yaml';
import { decodeText, describeUnreadable } from './decode-text.ts';
import type { Path, Problem } from '../problem.ts';
import type { Rule } from '../validate/rules.ts';
import type { ParsedSource } from './source.ts';
import { walkNodes } from './walk.ts';
import { yamlLibrary } from './yaml-library.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The result of one `${…}`. `text` is the substituted text, which is never shown. */
export type Substitution = { readonly text: string } & (
  | { readonly variable: string; readonly isSet: boolean; readonly fallback?: string }
  | { readonly file: string }
);

export interface InterpolatedText {
  /** The text before interpolation. */
  readonly written: string;
  readonly substitutions: readonly Substitution[];
}

/** The values of a file that contain `${…}`. They are never shown. */
export interface Interpolated {
  textAt(path: Path): InterpolatedText | undefined;
  /** Whether every `${…}` of the value could be resolved. If not, any other finding about it is noise. */
  isResolved(path: Path): boolean;
  /** Absolute paths of the files that `${file:…}` names, readable or not. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

const EXPRESSION = /\$\$\{|\$\{([^}]*)(\}|$)/g;
const VARIABLE = /^([A-Za-z_]\w*)(?::-(.*))?$/s;
const FILE = /^file:(.+)$/;
const HOW_TO_ESCAPE = 'To write the characters "${" themselves, use "$${".';

type Result = Substitution | { readonly rule: Rule; readonly message: string };

const readSecret = (path: string, file: string): Result => {
  try {
    return { text: decodeText(readFileSync(file)).replace(/\r?\n$/, ''), file: path };
  } catch (error) {
    return {
      rule: 'unreadable-file',
      message: `The file ${JSON.stringify(path)} cannot be read: ${describeUnreadable(error)}.`,
    };
  }
};

const readVariable = (inside: string, env: Environment): Result => {
  const [, name, fallback] = VARIABLE.exec(inside) ?? [];
  if (name === undefined)
    return {
      rule: 'invalid-interpolation',
      message: `"\${${inside}}" must be \${VAR}, \${VAR:-default} or \${file:/path}. ${HOW_TO_ESCAPE}`,
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

interface Evaluation {
  /** @param inside the text between the braces */
  evaluate(inside: string): Result;
  /** Absolute paths of the files that were named so far. */
  readonly files: ReadonlySet<string>;
}

/** Evaluates the `${…}` of a file. Paths in it refer to its folder. */
export function createEvaluation(file: string, env: Environment): Evaluation {
  const files = new Set<string>();
  const folder = dirname(resolve(file));
  const evaluate = (inside: string): Result => {
    if (inside.includes('${'))
      return {
        rule: 'invalid-interpolation',
        message: `A "\${" cannot be inside another: a default is plain text. ${HOW_TO_ESCAPE}`,
      };
    const [, path] = FILE.exec(inside) ?? [];
    if (path === undefined) return readVariable(inside, env);
    const named = resolve(folder, path);
    files.add(named);
    return readSecret(path, named);
  };
  return { evaluate, files };
}

/** Replaces each `${…}` of a text. Undefined if one of them cannot be resolved. */
export function fillText(
  written: string,
  evaluate: Evaluation['evaluate'],
): { readonly text: string; readonly substitutions: readonly Substitution[] } | undefined {
  const substitutions: Substitution[] = [];
  let isResolved = true;
  const text = written.replace(EXPRESSION, (_, inside: string | undefined, close: string | undefined) => {
    if (inside === undefined) return '${';
    const result = close === '}' ? evaluate(inside) : undefined;
    if (result === undefined || !('text' in result)) {
      isResolved = false;
      return '';
    }
    substitutions.push(result);
    return result.text;
  });
  return isResolved ? { text, substitutions } : undefined;
}

/** Replaces `${…}` in every value of the document. Keys are not interpolated. */
export function interpolateSource(source: ParsedSource, env: Environment): Interpolated {
  const { isScalar } = yamlLibrary();
  const texts = new Map<Scalar, InterpolatedText>();
  const unresolved = new Set<Scalar>();
  const flaws: (readonly [offset: number, rule: Rule, message: string])[] = [];
  const { evaluate, files } = createEvaluation(source.file, env);

  const interpolateScalar = (node: Scalar, written: string): string => {
    const [start, end] = node.range ?? [0, 0];
    let from = start;
    return written.replace(EXPRESSION, (expression: string, inside: string | undefined, close: string | undefined) => {
      const offset = source.text.indexOf(expression, from);
      if (offset >= 0) from = offset + expression.length;
      if (inside === undefined) return '${';
      const result: Result =
        close === '}'
          ? evaluate(inside)
          : { rule: 'invalid-interpolation', message: `The "\${" has no closing "}". ${HOW_TO_ESCAPE}` };
      if ('text' in result) {
        texts.set(node, { written, substitutions: [...(texts.get(node)?.substitutions ?? []), result] });
        return result.text;
      }
      unresolved.add(node);
      flaws.push([offset >= start && offset < end ? offset : start, result.rule, result.message]);
      return expression;
    });
  };

  walkNodes(source.document, (node, _, isKey) => {
    if (!isKey && isScalar(node) && typeof node.value === 'string' && node.value.includes('${'))
      node.value = interpolateScalar(node, node.value);
  });
  // Problems are created last: their frames mask secrets, and those are known only after interpolation.
  const problems = flaws.map((flaw) => source.problemAt(...flaw));
  return {
    textAt: (path) => {
      const scalar = source.scalar(path);
      return scalar && texts.get(scalar);
    },
    isResolved: (path) => {
      const scalar = source.scalar(path);
      return scalar === undefined || !unresolved.has(scalar);
    },
    files: [...files],
    problems,
  };
}
