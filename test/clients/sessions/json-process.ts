import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Json } from '../../matrix/wires.ts';

/** A program that exchanges one JSON value per line. */
export interface JsonProcess {
  send(message: Json): void;
  /** Resolves with the first message that passes. */
  find(what: string, test: (message: Json) => boolean): Promise<Json>;
  /** Resolves with the first message that passes, after the last one that an earlier call of `next` returned. */
  next(what: string, test: (message: Json) => boolean): Promise<Json>;
  /** The messages so far. */
  readonly messages: readonly Json[];
  end(): Promise<void>;
}

const LIMIT_MS = 60_000;

const parse = (line: string): Json => {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return { line };
  }
};

export interface Started {
  readonly command: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with each message, to respond to requests of the program. */
  readonly onMessage?: (message: Json, send: (message: Json) => void) => void;
}

export const startJsonProcess = ({ command, words, cwd, env, onMessage }: Started): JsonProcess => {
  const child = spawn(command, words, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const messages: Json[] = [];
  const watchers = new Set<() => void>();
  let [passed, errors, isOver] = [0, '', false];
  const wake = (): void => watchers.forEach((watcher) => watcher());
  const send = (message: Json): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.on('error', () => {});
  createInterface(child.stdout).on('line', (line) => {
    const message = parse(line);
    messages.push(message);
    onMessage?.(message, send);
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const closed = new Promise<void>((resolve) => {
    child.once('error', (error) => (errors += error.message));
    child.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  const search = (what: string, test: (message: Json) => boolean, from: () => number): Promise<number> =>
    new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        watchers.delete(look);
        finish();
      };
      const fail = (): void =>
        settle(() => {
          const last = messages.slice(-8).map((each) => JSON.stringify(each).slice(0, 600));
          reject(new Error(`${command} sent no ${what}: ${last.join('\n')}\n${errors.slice(-2_000)}`));
        });
      const timer = setTimeout(fail, LIMIT_MS);
      const look = (): void => {
        const found = messages.findIndex((message, index) => index >= from() && test(message));
        if (found >= 0) settle(() => resolve(found));
        else if (isOver) fail();
      };
      watchers.add(look);
      look();
    });
  return {
    send,
    find: async (what, test) => messages[await search(what, test, () => 0)]!,
    next: async (what, test) => {
      const found = await search(what, test, () => passed);
      passed = found + 1;
      return messages[found]!;
    },
    messages,
    end: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
};
