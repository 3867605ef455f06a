/** After the last test, in milliseconds. */
const WAIT_MS = 30_000;

/** Tests that leave something behind keep their process from ending: it says what holds it, and fails, before a job in CI waits for hours. */
export const mochaHooks = {
  afterAll(): void {
    const tell = (): void => {
      console.error(`The tests are over, and their process goes on. It is held by: ${process.getActiveResourcesInfo().join(', ')}.`);
      process.exit(1);
    };
    setTimeout(tell, WAIT_MS).unref();
  },
};
