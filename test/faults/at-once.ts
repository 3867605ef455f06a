/**
 * Tests that mostly wait for deadlines: all of them begin together, and each stands for itself all the same.
 * What holds after every test can be asked for when the last has ended.
 */
export const atOnce = (cases: readonly (readonly [title: string, run: () => Promise<void>])[]): void => {
  let runs: readonly Promise<void>[] = [];
  before(() => {
    runs = cases.map(([, run]) => run());
    for (const run of runs) run.catch(() => {});
  });
  for (const [index, [title]] of cases.entries()) it(title, () => runs[index]);
};
