import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bin } from '../../../support/servers/koine-program.ts';

/** Runs a command in a pseudo terminal, and copies its input and output. https://docs.python.org/3/library/pty.html */
const PTY = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** A command that talks to a person. */
export interface Terminal {
  /** Everything that was shown, without the codes that move the cursor. */
  shown(): string;
  /** Waits until the text is shown below the last answer, and types an answer. */
  answer(question: string, answer: string): Promise<void>;
  /** The exit code, when it ends. */
  readonly ended: Promise<number | null>;
  /** Ends it, if it has not ended. */
  stop(): Promise<void>;
}

// eslint-disable-next-line no-control-regex
const CODES = /\u001B\[[0-9;?]*[A-Za-z]/g;

export function runInTerminal(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Terminal {
  const child = spawn('python3', ['-c', PTY, process.execPath, bin, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], TERM: 'dumb', ...env },
  });
  let [text, seen] = ['', 0];
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stdin.on('error', () => {});
  const shown = (): string => text.replaceAll(CODES, '').replaceAll('\r', '');
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    shown,
    ended,
    stop: async () => {
      child.kill();
      await ended;
    },
    answer: async (question, answer) => {
      while (!shown().includes(question, seen)) {
        const [chunk] = await Promise.race([once(child.stdout, 'data'), ended.then(() => [undefined])]);
        if (chunk === undefined) throw new Error(`The command ended before ${JSON.stringify(question)}:\n${shown()}`);
      }
      seen = shown().indexOf(question, seen) + question.length;
      child.stdin.write(`${answer}\n`);
    },
  };
}
