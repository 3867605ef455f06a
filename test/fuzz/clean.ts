import { expect } from 'chai';
import type { SurfaceName } from '../../tools/fuzz/play.ts';
import { fuzz } from '../../tools/fuzz/surfaces.ts';

/** What the program itself shows. No fault that is planted in its results looks so. */
const OF_PROGRAM = /^(?:logged|standard error|a secret in the log|the event loop|the program|the heap)\b/;

/**
 * Random cases that must find nothing, and then others of the same program, with planted faults in its results.
 * @returns what the others have found
 */
export const fuzzClean = async (
  name: SurfaceName,
  {
    clean,
    planted,
    outcomes,
  }: { readonly clean: number; readonly planted: number; readonly outcomes: readonly string[] },
): Promise<string> => {
  const report = await fuzz(name, {
    seed: 20_261_127,
    seconds: 400,
    cases: clean + planted,
    planted: true,
    plantedFrom: clean,
  });
  const isPlanted = (number: number, what: string): boolean => number >= clean && !OF_PROGRAM.test(what);
  expect(report.findings.filter(({ number, what }) => !isPlanted(number, what))).to.deep.equal([]);
  expect(report.cases).to.be.greaterThan(clean);
  expect([...report.outcomes.keys()]).to.include.members(outcomes);
  return report.findings.map(({ what }) => what).join('\n');
};
