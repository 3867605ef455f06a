import { deepStrictEqual } from 'node:assert/strict';

/** One law applied to one fixture. Independent of a test runner: `run` throws if the law is violated. */
export interface Check {
  readonly name: string;
  run(): void | Promise<void>;
}

/** @throws Error with every problem */
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
