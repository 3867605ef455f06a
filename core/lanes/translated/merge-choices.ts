import type { EmitEvent, GenerateEvent } from '../../canonical/event.ts';
import type { GenerateResponse } from '../../canonical/response.ts';
import { sumUsages, type Usage } from '../../canonical/usage.ts';
import type { SeenResponse } from '../ending.ts';

/** The usage that the calls of one response reported: the sum, and of several calls each one. */
export type Spent = Pick<SeenResponse, 'usage' | 'calls'>;

/** The sum of what several calls used, and each of them. */
export const describeSpent = (calls: readonly (Usage | undefined)[]): Spent => {
  // A sum has neither raw figures nor further calls of its own.
  const usage = calls.length === 1 ? calls[0] : sumUsages(calls.filter((call) => call !== undefined));
  return { ...(usage === undefined ? {} : { usage }), ...(calls.length > 1 ? { calls } : {}) };
};

/** The usage for the client. As in wires with several choices, the prompt counts once, and the output of all calls. */
const showUsage = (calls: readonly (Usage | undefined)[]): Usage | undefined => {
  const usages = calls.filter((call) => call !== undefined);
  const [first, sum] = [usages[0], sumUsages(usages)];
  if (first === undefined || sum === undefined) return undefined;
  const { output, reasoning, outputAudio, outputImage } = sum;
  return {
    ...first,
    output,
    reasoning,
    ...(outputAudio === undefined ? {} : { outputAudio }),
    ...(outputImage === undefined ? {} : { outputImage }),
  };
};

/** Joins several plain responses into one with as many choices. */
export function mergeResponses(responses: readonly [GenerateResponse, ...GenerateResponse[]]): {
  readonly response: GenerateResponse;
  readonly spent: Spent;
} {
  const [first] = responses;
  const calls = responses.map(({ usage }) => usage);
  const spent = describeSpent(calls);
  return responses.length === 1
    ? { response: first, spent }
    : { response: { ...first, choices: responses.flatMap(({ choices }) => choices), usage: showUsage(calls) }, spent };
}

/** Joins several streams into one: the events of each source become those of the choice with its index. */
export interface ChoiceMerger {
  push(event: GenerateEvent, source: number): void;
  /** Whether this source has ended. Others can still be running. */
  isOver(source: number): boolean;
  /** The usage reported so far. */
  readonly spent: Spent;
}

export function createChoiceMerger(count: number, emit: EmitEvent): ChoiceMerger {
  const calls: (Usage | undefined)[] = Array.from({ length: count }, () => undefined);
  let started = false;
  const over = new Set<number>();
  const finish = (event: GenerateEvent, source: number): void => {
    over.add(source);
    if (over.size < count) return;
    const usage = showUsage(calls);
    if (usage !== undefined) emit({ type: 'usage', usage });
    emit(event);
  };
  return {
    push: (event, source) => {
      if (over.has(source)) return;
      if (event.type === 'usage') calls[source] = event.usage;
      else if (event.type === 'response-end') finish(event, source);
      else if ('choice' in event) emit({ ...event, choice: source });
      else if (event.type !== 'response-start') emit(event);
      else if (!started) {
        started = true;
        emit(event);
      }
    },
    isOver: (source) => over.has(source),
    get spent() {
      return describeSpent(calls);
    },
  };
}
