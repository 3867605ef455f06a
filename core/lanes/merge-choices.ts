import type { EmitEvent, GenerateEvent } from '../canonical/event.ts';
import type { GenerateResponse } from '../canonical/response.ts';
import type { Usage } from '../canonical/usage.ts';

const add = (usages: readonly Usage[], count: (usage: Usage) => number): number => usages.reduce((sum, usage) => sum + count(usage), 0);

/** All that several calls consumed: every one of them was paid for. */
const sumUsage = (usages: readonly Usage[]): Usage | undefined => {
  const [first] = usages;
  if (first === undefined || usages.length === 1) return first;
  return {
    ...first,
    inputUncached: add(usages, ({ inputUncached }) => inputUncached),
    cacheRead: add(usages, ({ cacheRead }) => cacheRead),
    cacheWrite5m: add(usages, ({ cacheWrite5m }) => cacheWrite5m),
    cacheWrite1h: add(usages, ({ cacheWrite1h }) => cacheWrite1h),
    output: add(usages, ({ output }) => output),
    reasoning: add(usages, ({ reasoning }) => reasoning),
    raw: usages.map(({ raw }) => raw),
  };
};

/** The usage that a client is shown: as wires that know several answers count, the prompt once and all that was said. */
const showUsage = (usages: readonly Usage[]): Usage | undefined => {
  const [first] = usages;
  return first === undefined ? undefined : { ...first, output: add(usages, ({ output }) => output), reasoning: add(usages, ({ reasoning }) => reasoning) };
};

const usagesOf = (responses: readonly GenerateResponse[]): readonly Usage[] => responses.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));

/** Several plain answers as one with as many choices. */
export const mergeResponses = (responses: readonly [GenerateResponse, ...GenerateResponse[]]): { readonly response: GenerateResponse; readonly billed: Usage | undefined } => {
  const [first] = responses;
  if (responses.length === 1) return { response: first, billed: first.usage };
  const usages = usagesOf(responses);
  return { response: { ...first, choices: responses.flatMap(({ choices }) => choices), usage: showUsage(usages) }, billed: sumUsage(usages) };
};

/** Several streams as one: each source speaks as the choice of its number. */
export interface ChoiceMerger {
  push(event: GenerateEvent, source: number): void;
  /** Has this source ended? Others may still speak. */
  isOver(source: number): boolean;
  /** All that was reported so far. */
  readonly billed: Usage | undefined;
}

export const createChoiceMerger = (count: number, emit: EmitEvent): ChoiceMerger => {
  const usages = new Map<number, Usage>();
  let started = false;
  const over = new Set<number>();
  const finish = (event: GenerateEvent, source: number): void => {
    over.add(source);
    if (over.size < count) return;
    const usage = showUsage([...usages.values()]);
    if (usage !== undefined) emit({ type: 'usage', usage });
    emit(event);
  };
  return {
    push: (event, source) => {
      if (over.has(source)) return;
      if (event.type === 'usage') usages.set(source, event.usage);
      else if (event.type === 'response-end') finish(event, source);
      else if ('choice' in event) emit({ ...event, choice: source });
      else if (event.type !== 'response-start') emit(event);
      else if (!started) {
        started = true;
        emit(event);
      }
    },
    isOver: (source) => over.has(source),
    get billed() {
      return sumUsage([...usages.values()]);
    },
  };
};
