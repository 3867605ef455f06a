/** After the last test, in milliseconds. */
const WAIT_MS = 30_000;

/**
 * Tests that leave handles open keep their process alive. It then reports what keeps it and fails, before a CI job
 * waits for hours.
 */
export const mochaGlobalTeardown = (): void => {
  const tell = (): void => {
    process.stderr.write(
      `The tests are over, and their process goes on. It is held by: ${process.getActiveResourcesInfo().join(', ')}.\n`,
    );
    // Mocha sets the code of the tests at the end.
    process.once('exit', () => (process.exitCode = 1));
    process.exit();
  };
  setTimeout(tell, WAIT_MS).unref();
};
