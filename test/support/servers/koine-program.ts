import { fileURLToPath } from 'node:url';

/**
 * The program that tests start as a process. `npm test` bundles it as in the package, which starts in half the CPU time
 * (`test/run/bundle-gateway.ts`); a test that runs by itself starts the sources.
 */
export const bin =
  process.env['KOINE_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../../bin/koine.js', import.meta.url));
