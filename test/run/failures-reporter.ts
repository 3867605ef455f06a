/** A test that failed. In parallel runs it comes from another process, and can have its title alone. */
interface FailedTest {
  readonly title: string;
  fullTitle?(): string;
}

/** A reporter of failures alone, each as soon as it happens: a run that breaks off has reported those before. */
export default function reportFailures(runner: Mocha.Runner): void {
  const begun = performance.now();
  const at = (): string => `${Math.round((performance.now() - begun) / 1_000)} s`;
  runner.on('fail', (test: FailedTest, error: { readonly message?: string } | undefined) => {
    const message = error?.message?.split('\n')[0] ?? '';
    console.log(`  ${at()}: ${test.fullTitle?.() ?? test.title}\n    ${message.slice(0, 2_000)}`);
  });
  runner.once('end', () => console.log(`  ${at()}: ${runner.stats?.passes} tests passed`));
}
