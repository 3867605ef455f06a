import { setImmediate as soon } from 'node:timers/promises';
import { type Log, omitUndefined, type PrimaryServices } from '../../../core/index.ts';
import type { Account, Baseline, Unopened } from '../store/store.ts';
import type { OpenedWindow } from '../store/memory/tally.ts';

/** How long a request waits for the ledger. */
const PATIENCE_MS = 500;
/** An answer that came late is good for so long, and a ledger that failed is left alone. */
const QUIET_MS = 1_000;

interface Question {
  readonly answer: Promise<Baseline>;
  /** It has let somebody wait in vain: nobody waits for it any more. */
  isLate: boolean;
}

/** What accounts had spent, as the ledger knows it. */
export interface Baselines {
  /** 0 where there is no ledger. @throws where it does not say within half a second */
  read(account: Account, unopened: Unopened): Promise<Baseline>;
  /**
   * Has windows begin with what the ledger knows by now: what a gateway that was killed had under way is told late. The time that is asked about
   * stays the same, so nothing is counted twice, however often it is asked.
   */
  renew(windows: () => readonly OpenedWindow[]): Promise<void>;
}

export function createBaselines(spent: PrimaryServices['spent'], log: Log): Baselines {
  const questions = new Map<string, Question>();
  let isAnswering = true;
  const note = (now: boolean, error?: unknown): void => {
    if (isAnswering === now) return;
    isAnswering = now;
    if (now) log.info({}, 'the ledger says again what budgets have spent');
    else
      log.warn({ error }, 'the ledger does not say what budgets have spent: they are counted without it until it does');
  };
  const ask = async ({ path, models, share }: Account, { since, until }: Unopened): Promise<Baseline> => {
    const known = await spent(omitUndefined({ path, models, since, until }));
    return { since, amount: Math.floor(Number(known ?? 0n) * share) };
  };
  const watch = async (name: string, question: Question): Promise<void> => {
    try {
      await question.answer;
      note(true);
      // Nobody may have waited for it: who comes next has it.
      if (!question.isLate) return void questions.delete(name);
      question.isLate = false;
    } catch (error) {
      note(false, error);
    }
    setTimeout(() => questions.delete(name), QUIET_MS).unref();
  };
  const questionOf = (account: Account, unopened: Unopened): Question => {
    const name = JSON.stringify([account, unopened.since]);
    const known = questions.get(name);
    if (known !== undefined) return known;
    const question: Question = { answer: ask(account, unopened), isLate: false };
    void watch(name, question);
    questions.set(name, question);
    return question;
  };
  return {
    read: async (account, unopened) => {
      const question = questionOf(account, unopened);
      const late = (): Error => new Error(`the ledger did not answer within ${PATIENCE_MS} ms`);
      if (question.isLate) throw late();
      const { promise, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        question.isLate = true;
        note(false, late());
        reject(late());
      }, PATIENCE_MS);
      try {
        return await Promise.race([question.answer, promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    renew: async (windows) => {
      // Who has asked before begins a window with what was known before.
      const answers = [...questions.values()].map(({ answer }) => answer);
      questions.clear();
      await Promise.allSettled(answers);
      await soon();
      try {
        for (const { account, span, reopen } of windows()) reopen((await ask(account, span)).amount);
      } catch (error) {
        log.warn({ error }, 'the ledger does not say what it has found that budgets have spent: they go on without');
      }
    },
  };
}
