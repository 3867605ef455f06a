import { useEffect, useState } from 'preact/hooks';
import { Absent } from './ask.js';

/** How soon what failed is tried again, at most. */
const RETRY_MS = 3_000;
/** What takes long to tell is asked for less often: looking must not be felt by those who are served. */
const RESTS_PER_WORK = 10;
/** What nobody answers today may be configured tomorrow. */
const ABSENT_MS = 60_000;

/**
 * @template T
 * @typedef {object} Polled
 * @property {T | undefined} data the latest that was read
 * @property {string | undefined} problem why it could not be read the last time
 * @property {boolean} isAbsent nobody answers here: the plugin is not configured
 * @property {boolean} isStale it answers another question than the one that is asked now
 */

export const AWAY = 'The gateway does not answer.';
/** @param {unknown} thrown */
const describe = (thrown) =>
  thrown instanceof TypeError || (thrown instanceof Error && thrown.name === 'TimeoutError')
    ? AWAY
    : String(thrown instanceof Error ? thrown.message : thrown);

/**
 * Reads something again and again while the page is looked at.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {number} everyMs
 * @param {string} [question] another one is asked at once
 * @returns {Polled<T>}
 */
export const usePoll = (load, everyMs, question = '') => {
  const [state, setState] = useState(
    /** @type {Omit<Polled<T>, 'isStale'> & { question: string }} */ ({
      data: undefined,
      problem: undefined,
      isAbsent: false,
      question,
    }),
  );
  useEffect(() => {
    const controller = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let isRunning = false;
    const read = async () => {
      const began = performance.now();
      try {
        const data = await load(controller.signal);
        if (!controller.signal.aborted) setState({ data, problem: undefined, isAbsent: false, question });
        return Math.max(everyMs, (performance.now() - began) * RESTS_PER_WORK);
      } catch (thrown) {
        if (!controller.signal.aborted)
          setState((last) => ({
            ...last,
            isAbsent: thrown instanceof Absent,
            problem: thrown instanceof Absent ? undefined : describe(thrown),
          }));
        return thrown instanceof Absent ? ABSENT_MS : Math.min(everyMs, RETRY_MS);
      }
    };
    const run = async () => {
      clearTimeout(timer);
      if (isRunning) return;
      isRunning = true;
      const pause = await read();
      isRunning = false;
      if (!controller.signal.aborted && !document.hidden) timer = setTimeout(run, pause);
    };
    const wake = () => {
      if (document.hidden) clearTimeout(timer);
      else void run();
    };
    document.addEventListener('visibilitychange', wake);
    void run();
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [question, everyMs]);
  const { question: answered, ...shown } = state;
  return { ...shown, isStale: answered !== question };
};
