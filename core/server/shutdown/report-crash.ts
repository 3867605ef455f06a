import { writeSync } from 'node:fs';
import { redactSecrets } from '../../canonical/text/redact.ts';

/** How many errors of a chain of causes are reported. */
const MOST_CAUSES = 5;

/**
 * The stacks of an error and its causes. Other members of an error may hold anything, such as the headers of a request.
 */
const describeThrown = (thrown: unknown): string => {
  const stacks: string[] = [];
  for (let cause = thrown; cause instanceof Error && stacks.length < MOST_CAUSES; cause = cause.cause)
    stacks.push(cause.stack ?? cause.message);
  if (stacks.length > 0) return stacks.join('\nCaused by: ');
  return typeof thrown === 'object' ? 'an object that is not an Error' : String(thrown);
};

/**
 * Reports uncaught errors without secrets: Node's own report prints every member of the error.
 * @param end ends this thread, or by default the process with code 1, as it would end without this handler
 */
export function reportCrashes(end: () => void = () => process.exit(1)): void {
  process.on('uncaughtException', (thrown, origin) => {
    const report = `koine crashed on an uncaught error (${origin}): ${redactSecrets(describeThrown(thrown))}\n`;
    try {
      // Synchronously: the stream of a worker thread would pass it to the main thread.
      writeSync(2, report);
    } catch {
      // Standard error is closed or full.
    }
    end();
  });
}
