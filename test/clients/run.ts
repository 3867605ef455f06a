import { spawn } from 'node:child_process';

export interface Run {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Longer than any client needs for a few requests. */
const LIMIT_MS = 180_000;

/** Runs a command with only these variables, and without input. It is ended after a time limit. */
export function run(
  command: string,
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  limitMs = LIMIT_MS,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
}
