import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { bundleGateway } from './bundle-gateway.ts';

const program = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

/** Two for each core: tests that wait for servers, timeouts and commands leave it to others. */
const JOBS = 2 * availableParallelism();

let bundled: Promise<string> | undefined;

/** @param bundle the folder of the gateway that the tests start @returns the exit code */
export const runMocha = async (
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  bundle = 'koine-test',
): Promise<number> => {
  bundled ??= bundleGateway(bundle);
  const child = spawn(process.execPath, [program, ...words], {
    stdio: 'inherit',
    env: { ...env, KOINE_TEST_PROGRAM: await bundled },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
};

/** The words for several processes. */
export const inParallel = (jobs = JOBS): readonly string[] => ['--parallel', '--jobs', String(jobs)];
