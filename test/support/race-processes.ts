import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Runs a script in several processes that start at the same moment: each prints `ready`, waits for the moment
 * and prints one line, which is returned.
 */
export const raceProcesses = async (script: URL, argument: string, count: number): Promise<readonly string[]> => {
  const runners = Array.from({ length: count }, () => startRunner(script, argument));
  await Promise.all(runners.map(async ({ lines }) => (await lines.next()).value));
  const moment = Date.now() + 50;
  for (const { child } of runners) child.stdin.end(`${moment}\n`);
  return Promise.all(runners.map(readResult));
};

interface Runner {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: AsyncIterator<string>;
  readonly ended: Promise<unknown[]>;
}

const startRunner = (script: URL, argument: string): Runner => {
  const child = spawn(process.execPath, [script.pathname, argument]);
  child.stderr.pipe(process.stderr);
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), ended: once(child, 'close') };
};

const readResult = async ({ lines, ended }: Runner): Promise<string> => {
  const line = await lines.next();
  await ended;
  return line.done === true ? '' : line.value;
};

/** For the script: reports that it is ready, and resolves at the common time. */
export const awaitStart = async (): Promise<void> => {
  process.stdout.write('ready\n');
  const [line] = await once(createInterface(process.stdin), 'line');
  const moment = Number(line);
  while (Date.now() < moment);
};
