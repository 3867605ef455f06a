/** A test that does not care what else goes on. */
export interface Case {
  readonly title: string;
  readonly run: () => Promise<void>;
}

/** Tests that mostly wait: all of them begin together, and each stands for itself all the same. */
export const atOnce = (name: string, cases: readonly Case[]): void =>
  void describe(name, () => {
    let runs: readonly Promise<void>[] = [];
    before(() => {
      runs = cases.map(({ run }) => run());
      for (const run of runs) run.catch(() => {});
    });
    for (const [index, { title }] of cases.entries()) it(title, () => runs[index]);
  });
