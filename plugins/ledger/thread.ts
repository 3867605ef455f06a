import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GatewayError, type Log } from '../../core/index.ts';
import type { FromThread, HousekeepingSettings, Report, ThreadSettings, ToThread } from './messages.ts';
import type { Answer, AskLedger } from './read/questions.ts';

/** How long the thread may take for its end: a write that is under way, or the spool. */
const CLOSE_MS = 3_000;
const RESTART_MS = 1_000;

const program = new URL(`./thread/start${extname(import.meta.filename)}`, import.meta.url);

/** The thread that has the database. */
export interface LedgerThread {
  /** Rows as JSON; one call at a time. Resolves with whether they are in the database; else they wait for it. */
  write(text: string): Promise<boolean>;
  readonly ask: AskLedger;
  /** From now on it looks after what processes leave behind that are gone, and after what is old. */
  keepHouse(settings: HousekeepingSettings): void;
  /** Ends it. What it was given is in the database or in the spool then. */
  close(): Promise<void>;
}

interface ThreadParts {
  readonly log: Log;
  readonly onReport?: (report: Report) => void;
  /** What was spent earlier may be more than was answered so far. */
  readonly onFound?: () => void;
}

const ended = (): GatewayError => new GatewayError('KOINE_STORE_FAILED', 'The thread of the ledger ended.');

interface Waiting {
  resolve(value: unknown): void;
  reject(error: GatewayError): void;
}

/** Resolves when the database is open. A thread that dies is replaced, and given again what it had not answered. @throws GatewayError KOINE_STORE_FAILED */
export async function startThread(
  settings: ThreadSettings,
  { log, onReport, onFound }: ThreadParts,
): Promise<LedgerThread> {
  const asked = new Map<number, Waiting>();
  let questions = 0;
  let writing: { readonly text: string; resolve(written: boolean): void } | undefined;
  let house: HousekeepingSettings | undefined;
  let isClosing = false;
  let isStarted = false;
  /** undefined: it died, and the next has not begun. */
  let worker: Worker | undefined;
  let restarting: NodeJS.Timeout | undefined;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  const post = (message: ToThread): void => worker?.postMessage(message);

  const settle = (id: number, act: (waiting: Waiting) => void): void => {
    const waiting = asked.get(id);
    asked.delete(id);
    if (waiting !== undefined) act(waiting);
  };
  const receive = (message: FromThread): void => {
    if (message.kind === 'taken') {
      const done = writing;
      writing = undefined;
      done?.resolve(message.written);
    } else if (message.kind === 'answer') settle(message.id, ({ resolve }) => resolve(message.value));
    else if (message.kind === 'refusal')
      settle(message.id, ({ reject }) => reject(new GatewayError('KOINE_STORE_FAILED', message.message)));
    else if (message.kind === 'report') onReport?.(message.report);
    else if (message.kind === 'found') onFound?.();
    else if (message.kind === 'log') log[message.level](message.fields, message.text);
  };
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const started = new Worker(program, { workerData: settings, name: 'ledger' });
      worker = started;
      let reason: unknown = new Error('The thread of the ledger ended.');
      started.on('error', (error) => (reason = error));
      started.on('message', (message: FromThread) => {
        if (message.kind === 'ready') resolve();
        else if (message.kind === 'failed') reject(new GatewayError('KOINE_STORE_FAILED', message.message));
        else receive(message);
      });
      started.once('exit', () => {
        reject(reason);
        worker = undefined;
        for (const id of asked.keys()) settle(id, ({ reject: refuse }) => refuse(ended()));
        if (isClosing || !isStarted) return;
        log.error({ error: reason }, 'the thread of the ledger has died; it is started anew');
        restarting = setTimeout(restart, RESTART_MS);
      });
    });
  /** Gives a thread that was started anew what the one before it had. */
  const resume = (): void => {
    if (house !== undefined) post({ kind: 'keep-house', settings: house });
    if (writing !== undefined) post({ kind: 'rows', text: writing.text });
  };
  const restart = (): void => {
    start().then(
      resume,
      // Its end starts it once more.
      () => worker?.terminate(),
    );
  };
  try {
    await start();
    isStarted = true;
  } catch (error) {
    await worker?.terminate();
    throw error instanceof GatewayError
      ? error
      : new GatewayError('KOINE_STORE_FAILED', 'The thread of the ledger could not be started.', { cause: error });
  }

  return {
    write: (text) =>
      new Promise((resolve) => {
        writing = { text, resolve };
        post({ kind: 'rows', text });
      }),
    ask: (question, query) =>
      new Promise<Answer<typeof question>>((resolve, reject) => {
        if (worker === undefined) throw ended();
        questions += 1;
        asked.set(questions, { resolve: resolve as Waiting['resolve'], reject });
        post({ kind: 'ask', id: questions, question, query });
      }),
    keepHouse: (given) => {
      house = given;
      post({ kind: 'keep-house', settings: given });
    },
    close: async () => {
      isClosing = true;
      clearTimeout(restarting);
      const last = worker;
      if (last === undefined) return;
      const exit = once(last, 'exit');
      post({ kind: 'close' });
      const timer = setTimeout(() => void last.terminate(), CLOSE_MS);
      await exit;
      clearTimeout(timer);
    },
  };
}
