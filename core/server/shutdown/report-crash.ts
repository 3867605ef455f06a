import { redactSecrets } from '../../canonical/text/redact.ts';

/** Causes of causes are named up to here. */
const MOST_CAUSES = 5;

/** An error and its causes by their stacks. Other members may hold anything, as a request's headers: left out. */
const describeThrown = (thrown: unknown): string => {
  const stacks: string[] = [];
  for (let cause = thrown; cause instanceof Error && stacks.length < MOST_CAUSES; cause = cause.cause)
    stacks.push(cause.stack ?? cause.message);
  if (stacks.length > 0) return stacks.join('\nCaused by: ');
  return typeof thrown === 'object' ? 'an object that is no Error' : String(thrown);
};

/**
 * From now on an error that nothing catches ends the process as before, with exit code 1, and is reported without
 * secrets: Node's own report shows the error with every member.
 */
export function reportCrashes(): void {
  process.on('uncaughtException', (thrown, origin) => {
    process.stderr.write(
      `koine ended by an error that nothing caught (${origin}): ${redactSecrets(describeThrown(thrown))}\n`,
    );
    process.exit(1);
  });
}
