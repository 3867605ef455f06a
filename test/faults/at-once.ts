/** A test that can run in parallel with others. */
export interface Case {
  readonly title: string;
  readonly run: () => Promise<void>;
}

/** Runs tests that mostly wait in parallel. Each is still reported by itself. */
export const atOnce = (name: string, cases: readonly Case[]): void =>
  void describe(name, () => {
    let runs: readonly Promise<void>[] = [];
    before(() => {
      runs = cases.map(({ run }) => run());
      for (const run of runs) run.catch(() => {});
    });
    for (const [index, { title }] of cases.entries()) it(title, () => runs[index]);
  });
