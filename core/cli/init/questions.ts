import { createInterface } from 'node:readline';
import { MisuseError } from '../command.ts';

/** Asks on a terminal, one line per answer. */
export interface Questions {
  /**
   * @param read turns the answer, without spaces around it, into a value, or throws a {@link MisuseError} with what is
   * wrong: then the question is put again
   */
  ask<T>(question: string, read: (answer: string) => T): Promise<T>;
  /** Prints a line above the next question. */
  say(text: string): void;
}

/** Whether a person can answer: not in a pipe, a container or CI. */
export const isTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** @throws MisuseError when the input ends, or with control and C, before the last answer */
export async function withQuestions<T>(use: (questions: Questions) => Promise<T>): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const lines = terminal[Symbol.asyncIterator]();
  const ask = async <A>(question: string, read: (answer: string) => A): Promise<A> => {
    for (;;) {
      terminal.setPrompt(`${question} `);
      terminal.prompt();
      const line = await lines.next();
      if (line.done === true) throw new MisuseError('\nNot all questions were answered, so nothing was written.');
      try {
        return read(line.value.trim());
      } catch (error) {
        if (!(error instanceof MisuseError)) throw error;
        console.log(error.message);
      }
    }
  };
  try {
    return await use({ ask, say: (text) => console.log(text) });
  } finally {
    terminal.close();
  }
}
