import { GatewayError } from '../errors/gateway-error.ts';
import type { Rule } from './validate/rules.ts';

/** Keys and list indexes that lead to a value of the file. */
export type Path = readonly (string | number)[];

/** What a step of loading found, before it has a line. */
export interface Finding {
  readonly path: Path;
  /** Point at the key instead of the value. */
  readonly on?: 'key';
  readonly severity?: Problem['severity'];
  /** Stable, kebab-case; the code of the error for extensions that failed. */
  readonly rule: Rule;
  /** Never holds text that came out of a variable or a file. */
  readonly message: string;
}

/** A finding with its place in the file. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** An error refuses the configuration. Advice is told by `koine check --audit` alone. */
  readonly severity: 'error' | 'warning' | 'advice';
  readonly rule: Rule;
  readonly message: string;
  /** The line, the one above it and a caret: for people, left out of the JSON form. */
  readonly frame: string;
}

/** The section of the documentation that tells of a rule. */
export const linkRule = (rule: Rule): string => `docs/rules.md#${rule.toLowerCase()}`;

/** `gateway.yaml:12:7 error unknown-key …`, the frame beneath, and where more about the rule stands. */
export const formatProblem = ({ file, line, column, severity, rule, message, frame }: Problem): string =>
  `${file}:${line}:${column} ${severity} ${rule} ${message}\n${frame}\n  ${linkRule(rule)}`;

/** The same fields for programs. */
export const encodeProblem = ({ file, line, column, severity, rule, message }: Problem): Omit<Problem, 'frame'> => ({
  file,
  line,
  column,
  severity,
  rule,
  message,
});

/** All that is wrong with a configuration, at once. */
export class ConfigError extends GatewayError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super('KOINE_CONFIG_INVALID', problems.map(formatProblem).join('\n\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
