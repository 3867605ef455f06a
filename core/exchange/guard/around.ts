import type { HookWatch } from './hook.ts';

export interface AroundParts<A, R> {
  readonly watch: HookWatch;
  readonly requestId?: string;
  /** What the hook is wrapped around. */
  inner(argument: A): Promise<R>;
  /** With what it goes on in the place of a hook that is skipped before it went on itself. */
  readonly argument: A;
  /** It may go on once only. */
  readonly once?: boolean;
  /** What is wrong with an answer, as in `it answered …`; undefined: nothing. */
  check(answer: R): string | undefined;
  /** What is handed on in the place of an answer. */
  accept?(answer: R): R;
  /** Releases what came from inside and is not handed on. */
  drop?(answer: R): void;
}

/** One run of a hook that is wrapped around what comes after it. */
export interface Around<A, R> {
  /** What the hook is given to go on with. */
  next(argument: A): Promise<R>;
  run(call: () => Promise<R>): Promise<R>;
  /** What the hook waits for here is not its own doing; where there is nothing to wait for, it has shown that it goes on. */
  spare(pending: Promise<unknown> | undefined): void;
  /** What is inside waits for the hook. */
  own(pending: Promise<unknown>): void;
  fail(thrown: unknown): void;
}

/**
 * The deadline is the hook's own: it begins with the hook and again when what it is wrapped around is done, and stands still in between.
 * A hook that is skipped after it has gone on leaves what came from inside. What is thrown inside is not the hook's fault.
 */
export function createAround<A, R>({
  watch,
  requestId,
  inner,
  argument,
  once = false,
  check,
  accept,
  drop,
}: AroundParts<A, R>): Around<A, R> {
  const { promise, resolve, reject } = Promise.withResolvers<R>();
  const thrownInside = new Set<unknown>();
  let isOver = false;
  let inside = 0;
  let last: Promise<R> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;

  const stop = (): void => {
    clearTimeout(timer);
    if (since !== undefined) watch.time(since);
    since = undefined;
  };
  const start = (): void => {
    since = performance.now();
    timer = setTimeout(() => fail(watch.late()), watch.timeout);
  };
  const enter = (): void => {
    stop();
    inside += 1;
  };
  const leave = (): void => {
    inside -= 1;
    if (!isOver && inside === 0) start();
  };
  const goOn = (given: A): Promise<R> => {
    last = inner(given);
    last.catch((thrown: unknown) => thrownInside.add(thrown));
    return last;
  };
  const decide = (how: () => void): void => {
    if (isOver) return;
    isOver = true;
    stop();
    how();
  };
  const fail = (thrown: unknown): void =>
    decide(() => {
      const refusal = thrownInside.has(thrown) ? thrown : watch.judge(thrown, requestId);
      if (refusal === undefined) {
        resolve(last ?? goOn(argument));
        return;
      }
      reject(refusal);
      last?.then(drop, () => {});
    });

  return {
    next: (given) => {
      if (isOver) return last ?? promise;
      if (once && last !== undefined) return Promise.reject(new Error('it went on twice'));
      enter();
      const passed = goOn(given);
      passed.then(leave, leave);
      return passed;
    },
    spare: (pending) => {
      enter();
      if (pending === undefined) leave();
      else pending.then(leave, leave);
    },
    own: (pending) => {
      leave();
      pending.then(enter, enter);
    },
    fail,
    run: (call) => {
      start();
      const take = (answer: R): void => {
        const what = check(answer);
        if (what === undefined) decide(() => resolve(accept === undefined ? answer : accept(answer)));
        else fail(watch.wrong(what));
      };
      void Promise.try(call).then(take, fail);
      return promise;
    },
  };
}
