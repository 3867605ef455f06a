import { GatewayError } from '../errors/gateway-error.ts';
import type { Rule } from './validate/rules.ts';

/** The keys and list indexes of a setting. */
export type Path = readonly (string | number)[];

/** A problem that a step of loading found, without its position in the file. */
export interface Finding {
  readonly path: Path;
  /** Report the position of the key instead of the value. */
  readonly on?: 'key';
  readonly severity?: Problem['severity'];
  /** Stable, in kebab-case; for an extension that failed, the code of its error. */
  readonly rule: Rule;
  /** Never contains text from a variable or a file. */
  readonly message: string;
}

/** A finding with its position in the file. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** A configuration with an error is refused. Only `koine check --audit` reports advice. */
  readonly severity: 'error' | 'warning' | 'advice';
  readonly rule: Rule;
  readonly message: string;
  /** The line, the one above it and a caret, for terminals. Not part of the JSON form. */
  readonly frame: string;
}

/** The section of the documentation about a rule. */
export const linkRule = (rule: Rule): string => `docs/reference/rules.md#${rule.toLowerCase()}`;

/** `gateway.yaml:12:7 error unknown-key …`, then the frame, then a link to the documentation of the rule. */
export const formatProblem = ({ file, line, column, severity, rule, message, frame }: Problem): string =>
  `${file}:${line}:${column} ${severity} ${rule} ${message}\n${frame}\n  ${linkRule(rule)}`;

/** The JSON form of a problem. */
export const encodeProblem = ({ frame: _frame, ...problem }: Problem): Omit<Problem, 'frame'> => problem;

/** All problems of a configuration. */
export class ConfigError extends GatewayError {
  readonly problems: readonly Problem[];
  /** Absolute paths of files whose change may solve a problem, besides those that the problems are in. */
  readonly files: readonly string[];

  constructor(problems: readonly Problem[], files: readonly string[] = []) {
    super('KOINE_CONFIG_INVALID', problems.map(formatProblem).join('\n\n'));
    this.name = 'ConfigError';
    this.problems = problems;
    this.files = files;
  }
}
