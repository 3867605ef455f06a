import type { EmitEvent, GenerateEvent, PartDelta, PartEnd, PartStart } from '../../canonical/event.ts';
import { createBufferLimit, BUFFERED_ENTRY_COST, weighLogprobs } from '../../canonical/buffer-limit.ts';
import type { EventFilter } from '../../contracts/codec.ts';

type ChoiceEnd = Extract<GenerateEvent, { type: 'choice-end' }>;

interface ChoiceState {
  /** The part with the answer, after the hidden tool was called. */
  answer: number | undefined;
  /** Parts that are dropped: further calls of the hidden tool, and text in addition to the answer. */
  readonly withheld: Set<number>;
  /** Buffered text: it is the answer only if the hidden tool is never called. */
  readonly waiting: Set<number>;
  queue: GenerateEvent[];
  readonly keep: (chars: number) => void;
  callsTools: boolean;
}

const createState = (): ChoiceState => ({
  answer: undefined,
  withheld: new Set(),
  waiting: new Set(),
  queue: [],
  keep: createBufferLimit(),
  callsTools: false,
});

const flush = (state: ChoiceState, emit: EmitEvent): void => {
  for (const event of state.queue) emit(event);
  state.queue = [];
  state.waiting.clear();
};

const withhold = (state: ChoiceState): void => {
  for (const part of state.waiting) state.withheld.add(part);
  state.queue = [];
  state.waiting.clear();
};

const openAnswer = (state: ChoiceState, { choice, part }: PartStart, emit: EmitEvent): void => {
  if (state.answer !== undefined) {
    state.withheld.add(part);
    return;
  }
  withhold(state);
  state.answer = part;
  emit({ type: 'part-start', choice, part, kind: 'text' });
};

const openPart = (state: ChoiceState, event: PartStart, name: string, emit: EmitEvent): void => {
  if (event.call?.name === name) return openAnswer(state, event, emit);
  if (event.kind === 'text') {
    if (state.answer !== undefined) state.withheld.add(event.part);
    else {
      state.waiting.add(event.part);
      state.queue.push(event);
    }
    return undefined;
  }
  if (event.kind === 'tool-call') {
    state.callsTools = true;
    flush(state, emit);
  }
  return emit(event);
};

/** Consecutive text becomes one event, unless it has log probabilities. */
const hold = (state: ChoiceState, event: PartDelta | PartEnd): void => {
  const last = state.queue.at(-1);
  if (event.type === 'part-delta') state.keep(event.text.length + weighLogprobs(event.logprobs));
  else state.keep(BUFFERED_ENTRY_COST);
  if (event.type === 'part-delta' && last?.type === 'part-delta' && last.part === event.part && !('logprobs' in event))
    state.queue[state.queue.length - 1] = { ...last, text: last.text + event.text };
  else state.queue.push(event);
};

const passPart = (state: ChoiceState, event: PartDelta | PartEnd, emit: EmitEvent): void => {
  if (state.withheld.has(event.part)) return undefined;
  if (state.waiting.has(event.part)) {
    return hold(state, event);
  }
  // The proof of a call does not fit a text.
  if (event.part === state.answer && event.type === 'part-end')
    return emit({ type: 'part-end', choice: event.choice, part: event.part });
  return emit(event);
};

const closeChoice = (state: ChoiceState, event: ChoiceEnd, emit: EmitEvent): void => {
  flush(state, emit);
  const isPlain = state.answer !== undefined && !state.callsTools && event.finish.reason === 'tool_calls';
  emit(isPlain ? { ...event, finish: { ...event.finish, reason: 'stop' } } : event);
};

/**
 * Turns the call of the hidden tool into text: its arguments stream as text, and a choice without other calls ends with
 * `stop`. Other text would break the JSON, so it is buffered until it is known whether the tool is called.
 */
export function createJsonToolReply(name: string): EventFilter {
  const states = new Map<number, ChoiceState>();
  const stateOf = (choice: number): ChoiceState => {
    const known = states.get(choice) ?? createState();
    states.set(choice, known);
    return known;
  };
  return {
    push(event, emit) {
      if (event.type === 'part-start') openPart(stateOf(event.choice), event, name, emit);
      else if (event.type === 'part-delta' || event.type === 'part-end') passPart(stateOf(event.choice), event, emit);
      else if (event.type === 'choice-end') closeChoice(stateOf(event.choice), event, emit);
      else {
        if (event.type === 'response-end') for (const state of states.values()) flush(state, emit);
        emit(event);
      }
    },
  };
}
