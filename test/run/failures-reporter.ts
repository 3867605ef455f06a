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
    const message = error?.message?.trim() ?? '';
    // The output of a program says at its end why it failed.
    const shown = message.length > 2_000 ? `${message.slice(0, 500)}\n…\n${message.slice(-1_500)}` : message;
    console.log(`  ${at()}: ${test.fullTitle?.() ?? test.title}\n    ${shown}`);
  });
  runner.once('end', () => console.log(`  ${at()}: ${runner.stats?.passes} tests passed`));
}
