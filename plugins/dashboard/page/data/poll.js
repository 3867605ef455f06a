import { useEffect, useState } from 'preact/hooks';
import { NotConfigured } from './api.js';

/** Longest interval after a failure. */
const RETRY_MS = 3_000;
/** A slow call is repeated after this many times its duration, so that the page never slows down the gateway. */
const PAUSE_PER_DURATION = 10;
/** The plugin may be added by a reload. */
const NOT_CONFIGURED_MS = 60_000;

/**
 * @template T
 * @typedef {object} Polled
 * @property {T | undefined} data the latest that was read
 * @property {string | undefined} problem why the last read failed
 * @property {boolean} isNotConfigured the plugin that serves the data is not configured
 * @property {boolean} isStale `data` belongs to an earlier query
 */

export const UNREACHABLE = 'The gateway does not respond.';

/** Whether the last call of any panel found no gateway: the page reports it once, above everything. */
let isAway = false;
/** @type {Set<(isAway: boolean) => void>} */
const watchers = new Set();
/** @param {boolean} now */
const setAway = (now) => {
  if (isAway === now) return;
  isAway = now;
  for (const watch of watchers) watch(now);
};
/** @returns whether the gateway does not respond */
export const useAway = () => {
  const [away, setState] = useState(isAway);
  useEffect(() => {
    watchers.add(setState);
    return () => void watchers.delete(setState);
  }, []);
  return away;
};
/** @param {unknown} thrown */
const describe = (thrown) =>
  thrown instanceof TypeError || (thrown instanceof Error && thrown.name === 'TimeoutError')
    ? UNREACHABLE
    : String(thrown instanceof Error ? thrown.message : thrown);

/** A number for the query of `usePoll`, and what increments it: so data are read again after a change. */
export const useRevision = () => {
  const [revision, setRevision] = useState(0);
  return /** @type {const} */ ([revision, () => setRevision((last) => last + 1)]);
};

/**
 * Reads data repeatedly while the page is visible.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {number} everyMs
 * @param {string} [query] a change of it triggers a read at once
 * @returns {Polled<T>}
 */
export const usePoll = (load, everyMs, query = '') => {
  const [state, setState] = useState(
    /** @type {Omit<Polled<T>, 'isStale'> & { query: string }} */ ({
      data: undefined,
      problem: undefined,
      isNotConfigured: false,
      query,
    }),
  );
  useEffect(() => {
    const controller = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let isRunning = false;
    /** @returns the milliseconds until the next read */
    const read = async () => {
      const startedAt = performance.now();
      try {
        const data = await load(controller.signal);
        if (!controller.signal.aborted) setState({ data, problem: undefined, isNotConfigured: false, query });
        setAway(false);
        return Math.max(everyMs, (performance.now() - startedAt) * PAUSE_PER_DURATION);
      } catch (thrown) {
        if (controller.signal.aborted) return everyMs;
        const problem = thrown instanceof NotConfigured ? undefined : describe(thrown);
        setState((last) => ({ ...last, isNotConfigured: thrown instanceof NotConfigured, problem }));
        setAway(problem === UNREACHABLE);
        return thrown instanceof NotConfigured ? NOT_CONFIGURED_MS : Math.min(everyMs, RETRY_MS);
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
    const onVisibilityChange = () => {
      if (document.hidden) clearTimeout(timer);
      else void run();
    };
    document.addEventListener('visibilitychange', onVisibilityChange);
    void run();
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    };
  }, [query, everyMs]);
  const { query: queryOfData, ...polled } = state;
  return { ...polled, isStale: queryOfData !== query };
};
