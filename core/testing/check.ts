import { deepStrictEqual } from 'node:assert/strict';

/** One named law applied to one fixture. It knows no test runner: whichever there is calls `run`, which throws when the law is broken. */
export interface Check {
  readonly name: string;
  run(): void | Promise<void>;
}

/** @throws Error that lists every problem */
export function expectNone(problems: readonly string[], what: string): void {
  if (problems.length > 0) throw new Error(`${what}:\n  ${problems.join('\n  ')}`);
}

/** @throws AssertionError with the difference */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  try {
    deepStrictEqual(actual, expected);
  } catch (thrown) {
    if (thrown instanceof Error) thrown.message = `${what}\n${thrown.message}`;
    throw thrown;
  }
}
