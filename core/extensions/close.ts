import { withTimeout } from './with-timeout.ts';

/** Something that was opened at the start and must be closed at the end. */
export interface Closable {
  readonly name: string;
  readonly close: () => unknown;
}

export interface CloseFailure {
  readonly name: string;
  readonly error: unknown;
}

/** Long enough for streams to drain: who is in a hurry cuts the connections first. */
const CLOSE_TIMEOUT = 330_000;

/**
 * Closes the last opened first, one after the other. Never throws: each gets its turn, and those that failed or took
 * too long are named.
 */
export async function closeAll(
  opened: readonly Closable[],
  timeoutMs = CLOSE_TIMEOUT,
): Promise<readonly CloseFailure[]> {
  const failures: CloseFailure[] = [];
  for (const { name, close } of opened.toReversed()) {
    try {
      await withTimeout(
        Promise.try(close),
        timeoutMs,
        () => new Error(`${name} was not closed after ${timeoutMs} ms.`),
      );
    } catch (error) {
      failures.push({ name, error });
    }
  }
  return failures;
}
