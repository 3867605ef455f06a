import type { Answer, AskLedger } from './read/questions.ts';
import type { LedgerThread } from './thread.ts';

/** Without a question for so long the thread ends: it holds 40 MB. */
const IDLE_MS = 60_000;

/** Answers questions in a thread of its own, so that they never hold up a write. */
export interface LedgerReader {
  readonly ask: AskLedger;
  close(): Promise<void>;
}

/**
 * @param start a thread, with the first question and with the first one after a pause
 * @param idleMs how long such a pause is
 */
export function createReader(start: () => Promise<LedgerThread>, idleMs = IDLE_MS): LedgerReader {
  let thread: Promise<LedgerThread> | undefined;
  let asked = 0;
  let idle: NodeJS.Timeout | undefined;

  const startOnce = (): Promise<LedgerThread> =>
    (thread ??= start().catch((error: unknown) => {
      thread = undefined;
      throw error;
    }));
  const close = async (): Promise<void> => {
    const last = thread;
    thread = undefined;
    clearTimeout(idle);
    await (await last)?.close();
  };
  return {
    ask: async (question, query) => {
      clearTimeout(idle);
      asked += 1;
      try {
        return (await (await startOnce()).ask(question, query)) as Answer<typeof question>;
      } finally {
        asked -= 1;
        if (asked === 0) idle = setTimeout(() => void close(), idleMs).unref();
      }
    },
    close,
  };
}
