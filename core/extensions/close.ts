import { withTimeout } from './with-timeout.ts';

/** A resource that is opened at startup and must be closed at shutdown. */
export interface Closable {
  readonly name: string;
  readonly close: () => unknown;
}

export interface CloseFailure {
  readonly name: string;
  readonly error: unknown;
}

/** Long enough for streams to drain. For a faster shutdown, close the connections first. */
const CLOSE_TIMEOUT = 330_000;

/**
 * Closes resources one after the other, the last opened first. Never throws: all are closed, and those that fail or
 * time out are returned.
 */
export async function closeAll(
  opened: readonly Closable[],
  timeoutMs = CLOSE_TIMEOUT,
): Promise<readonly CloseFailure[]> {
  const failures: CloseFailure[] = [];
  for (const { name, close } of opened.toReversed()) {
    try {
      await withTimeout(
        new Promise((resolve) => resolve(close())),
        timeoutMs,
        () => new Error(`${name} was not closed after ${timeoutMs} ms.`),
      );
    } catch (error) {
      failures.push({ name, error });
    }
  }
  return failures;
}
