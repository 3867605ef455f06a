import { deepStrictEqual } from 'node:assert/strict';

/** One law applied to one fixture. Independent of a test runner: `run` throws if the law is violated. */
export interface Check {
  readonly name: string;
  run(): void | Promise<void>;
}

/** Collects the laws of a wire, whose names begin with it. */
export function collectLaws(wire: string): {
  readonly checks: Check[];
  readonly law: (name: string, run: Check['run']) => void;
} {
  const checks: Check[] = [];
  return { checks, law: (name, run) => void checks.push({ name: `${wire}: ${name}`, run }) };
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
