import { GatewayError } from '../errors.ts';

/** Keys and list indexes that lead to a value of the file. */
export type Path = readonly (string | number)[];

/** What a step of loading found, before it has a line. */
export interface Finding {
  readonly path: Path;
  /** Point at the key instead of the value. */
  readonly on?: 'key';
  readonly severity?: Problem['severity'];
  /** Stable, kebab-case; the code of the error for extensions that failed. */
  readonly rule: string;
  /** Never holds text that came out of a variable or a file. */
  readonly message: string;
}

/** A finding with its place in the file. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly rule: string;
  readonly message: string;
  /** The line, the one above it and a caret: for people, left out of the JSON form. */
  readonly frame: string;
}

/** `gateway.yaml:12:7 error unknown-key …`, and the frame beneath. */
export const formatProblem = ({ file, line, column, severity, rule, message, frame }: Problem): string =>
  `${file}:${line}:${column} ${severity} ${rule} ${message}\n${frame}`;

/** The same fields for programs. */
export const encodeProblem = ({ file, line, column, severity, rule, message }: Problem): Omit<Problem, 'frame'> => ({ file, line, column, severity, rule, message });

/** All that is wrong with a configuration, at once. */
export class ConfigError extends GatewayError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super('KOINE_CONFIG_INVALID', problems.map(formatProblem).join('\n\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
