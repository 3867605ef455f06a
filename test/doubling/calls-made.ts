import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';

/**
 * How often each piece of the project's code ran, by its place (`core/fits/support/filter.ts:120-180`) or built-in
 * name.
 */
type CallsMade = ReadonlyMap<string, number>;

const root = new URL('../../', import.meta.url).href;
const sources = /^(?:core|providers|plugins)\//;

/** Built-in searches, which walk a list without running our code: each counts the items it can visit. */
const searches = ['includes', 'indexOf', 'lastIndexOf'] as const;
type Search = (this: readonly unknown[], ...given: unknown[]) => unknown;

/**
 * V8 counts the blocks of a function only if it compiled the function during the count. A few are compiled with their
 * module.
 */
const requireBlocks = (scripts: readonly Profiler.ScriptCoverage[]): void => {
  const ran = scripts.flatMap(({ functions }) => functions).filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0);
  const counted = ran.filter(({ isBlockCoverage }) => isBlockCoverage);
  if (counted.length < 0.8 * ran.length)
    throw new Error(
      `The loops of only ${counted.length} of ${ran.length} functions are counted: the others were compiled before.`,
    );
};

export interface CallCounter {
  /**
   * The places that run more than in proportion while `work` runs three times, each time with twice the input of the
   * run before.
   */
  findSuperlinear(work: (run: number) => Promise<void>): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/**
 * Counts with V8's precise coverage, which reports how often every function, branch and loop body ran. Unlike time it
 * is the same in every run.
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#method-startPreciseCoverage
 * @param measured the files whose code is counted, by their path in the project
 */
export const startCallCounter = async (measured = sources): Promise<CallCounter> => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const walked = new Map<string, number>();
  const prototype = Array.prototype as unknown as Record<(typeof searches)[number], Search>;
  const originals = searches.map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals) {
    prototype[name] = function counted(this: readonly unknown[], ...given) {
      walked.set(name, (walked.get(name) ?? 0) + this.length);
      return original.apply(this, given);
    };
  }
  const take = async (): Promise<CallsMade> => {
    const searched = [...walked];
    walked.clear();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const own = result.filter(({ url }) => url.startsWith(root) && measured.test(url.slice(root.length)));
    requireBlocks(own);
    const pieces = own.flatMap(({ url, functions }) =>
      functions.flatMap(({ ranges }) =>
        ranges.map(
          ({ startOffset, endOffset, count }) =>
            [`${url.slice(root.length)}:${startOffset}-${endOffset}`, count] as const,
        ),
      ),
    );
    return new Map([...pieces, ...searched.map(([name, count]) => [`Array.prototype.${name}`, count] as const)]);
  };
  return {
    findSuperlinear: async (work) => {
      await session.post('Profiler.takePreciseCoverage');
      walked.clear();
      const run = async (number: number): Promise<CallsMade> => {
        await work(number);
        return take();
      };
      return findSuperlinear([await run(0), await run(1), await run(2)]);
    },
    stop: async () => {
      for (const [name, original] of originals) prototype[name] = original;
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
};

/** Runs that can come from anything else in the process: timers, a flush, a log line. */
const NOISE = 1_000;
/** Twice the input doubles what grows with it, and quadruples what grows with its square. */
const MOST_GROWTH = 3;

/** The places that ran more than in proportion, in three runs of which each has twice the input of the one before. */
const findSuperlinear = ([once, twice, fourTimes]: readonly [CallsMade, CallsMade, CallsMade]): readonly string[] =>
  [...fourTimes].flatMap(([place, count]) => {
    const [start, middle] = [once.get(place), twice.get(place)];
    // V8 leaves out a place that ran as often as the code around it. A quadratic loop is in all three runs.
    if (start === undefined || middle === undefined) return [];
    const growth = count - middle;
    return growth > NOISE && growth > MOST_GROWTH * Math.max(0, middle - start)
      ? [`${place} ran ${start}, ${middle}, ${count} times`]
      : [];
  });
