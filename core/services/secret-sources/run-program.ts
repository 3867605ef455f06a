import { execFile, type ExecFileException } from 'node:child_process';
import { resolve } from 'node:path';

const DEADLINE_MS = 10_000;
const MAX_OUTPUT = 65_536;

/** The output of the program, and the message of Node, which contains it, can be secret. */
const describe = ({ code, signal, killed }: ExecFileException): string => {
  if (code === 'ENOENT') return 'was not found';
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${MAX_OUTPUT / 1_024} kB`;
  if (typeof code === 'string') return `could not be run (${code})`;
  if (killed === true) return 'did not end in time';
  return typeof code === 'number' ? `ended with exit code ${code}` : `was ended by ${signal ?? 'a signal'}`;
};

/**
 * Runs a program without a shell and returns what it prints to standard output. It has the environment of the gateway,
 * and its standard input is empty.
 * @throws Error that says how the program ended, without any of its arguments and output
 */
export function runProgram(
  command: readonly string[],
  folder: string,
  signal: AbortSignal,
  deadlineMs = DEADLINE_MS,
): Promise<string> {
  const [program = '', ...args] = command;
  const file = program.includes('/') ? resolve(folder, program) : program;
  const options = { cwd: folder, timeout: deadlineMs, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT } as const;
  return new Promise((done, fail) => {
    const child = execFile(file, args, { ...options, encoding: 'utf8' }, (error, output) => {
      signal.removeEventListener('abort', kill);
      if (error === null) done(output);
      else fail(new Error(`the program ${describe(error)}`));
    });
    // Processes that the program has started can keep its output open.
    const kill = (): void => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    signal.addEventListener('abort', kill);
    child.stdin?.end();
  });
}
