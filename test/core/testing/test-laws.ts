import type { Check } from '../../../core/testing/index.ts';

/** Names of recordings have no spaces. */
const lawOf = ({ name }: Check): string => name.replace(/ of (?:the )?\S+(?= as expected|$)/, '');

/** At most this many failures of one law are shown. */
const SHOWN = 5;

/** One test per law: a test per recording would drown the report. A failure names its recordings. */
export function testLaws(laws: readonly Check[]): void {
  for (const [law, checks] of Map.groupBy(laws, lawOf))
    it(`the law holds: ${law} (${checks.length})`, async () => {
      const failures: string[] = [];
      for (const { name, run } of checks) {
        try {
          await run();
        } catch (thrown) {
          failures.push(`${name}: ${String(thrown)}`);
        }
        if (failures.length === SHOWN) break;
      }
      if (failures.length > 0) throw new Error(failures.join('\n'));
    });
}
