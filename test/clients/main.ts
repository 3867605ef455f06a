import { runMocha } from '../run/mocha.ts';

// Most of these tests start a gateway. The bundle of the package starts in half the CPU time of the sources.
process.exitCode = await runMocha(
  ['test/clients/installed.ts', ...process.argv.slice(2)],
  process.env,
  'koine-test-clients',
);
