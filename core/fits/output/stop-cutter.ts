import type { EmitEvent, PartDelta, PartEnd, PartStart } from '../../canonical/event.ts';
import { createBufferLimit, weighLogprobs } from '../../canonical/buffer-limit.ts';
import type { Citation, TokenLogprob } from '../../canonical/part.ts';
import { countCodePoints } from '../../canonical/text/code-points.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import { createStopMatcher, prepareStops, type StopMatcher, type StopSequence } from './stop-matcher.ts';

interface ChoiceState {
  /** The matcher of each open text part. */
  readonly matchers: Map<number, StopMatcher>;
  /** Parts that were started for the client before the cut, and have to be ended for it. */
  readonly open: Set<number>;
  /** The stop sequence that ended the choice, and its part. */
  cut?: { readonly sequence: string; readonly part: number; readonly length: number };
  /** Code points of each text sent so far, for the citations of the part that is cut. */
  readonly lengths: Map<number, number>;
  /** The tokens of each text so far. They are sent at its end, when it is known which of them are left. */
  readonly tokens: Map<number, TokenLogprob[]>;
  readonly keep: (chars: number) => void;
}

const createState = (): ChoiceState => ({
  matchers: new Map(),
  open: new Set(),
  lengths: new Map(),
  tokens: new Map(),
  keep: createBufferLimit(),
});

/** The citations of the remaining text. */
const clipCitations = (citations: readonly Citation[], length: number): readonly Citation[] =>
  citations.flatMap((citation) => {
    if ((citation.start ?? 0) >= length) return [];
    return [citation.end === undefined || citation.end <= length ? citation : { ...citation, end: length }];
  });

/** The tokens of the remaining text. Of one that the cut goes through, nothing remains. */
const clipTokens = (tokens: readonly TokenLogprob[], length: number): readonly TokenLogprob[] => {
  let end = 0;
  const over = tokens.findIndex(({ token }) => (end += countCodePoints(token)) > length);
  return over === -1 ? tokens : tokens.slice(0, over);
};

const holdTokens = (state: ChoiceState, { part, logprobs }: PartDelta): void => {
  if (logprobs === undefined) return;
  state.keep(weighLogprobs(logprobs));
  const held = state.tokens.get(part);
  if (held === undefined) state.tokens.set(part, [...logprobs]);
  else for (const token of logprobs) held.push(token);
};

const sendTokens = (state: ChoiceState, { choice, part }: PartEnd, emit: EmitEvent): void => {
  const { cut, tokens } = state;
  const held = tokens.get(part) ?? [];
  const logprobs = cut?.part === part ? clipTokens(held, cut.length) : held;
  if (logprobs.length > 0) emit({ type: 'part-delta', choice, part, text: '', logprobs });
};

const send = (
  state: ChoiceState,
  { choice, part }: { readonly choice: number; readonly part: number },
  text: string,
  emit: EmitEvent,
): void => {
  if (text === '') return;
  state.lengths.set(part, (state.lengths.get(part) ?? 0) + countCodePoints(text));
  emit({ type: 'part-delta', choice, part, text });
};

const openPart = (state: ChoiceState, event: PartStart, stops: readonly StopSequence[], emit: EmitEvent): void => {
  if (state.cut !== undefined) return;
  state.open.add(event.part);
  if (event.kind === 'text') state.matchers.set(event.part, createStopMatcher(stops));
  emit(event);
};

const passDelta = (state: ChoiceState, event: PartDelta, emit: EmitEvent): void => {
  if (state.cut !== undefined) return;
  const matcher = state.matchers.get(event.part);
  if (matcher === undefined) return emit(event);
  holdTokens(state, event);
  const { safe, found } = matcher.push(event.text);
  send(state, event, safe, emit);
  if (found === undefined) return;
  flushHeld(state, event.choice, emit, event.part);
  state.cut = { sequence: found, part: event.part, length: state.lengths.get(event.part) ?? 0 };
};

const closePart = (state: ChoiceState, event: PartEnd, emit: EmitEvent): void => {
  if (!state.open.delete(event.part)) return;
  const held = state.matchers.get(event.part)?.flush() ?? '';
  state.matchers.delete(event.part);
  if (state.cut === undefined) send(state, event, held, emit);
  sendTokens(state, event, emit);
  if (state.cut?.part !== event.part) return emit(event);
  const citations = clipCitations(event.citations ?? [], state.cut.length);
  // A proof is valid for the whole text only.
  emit({ type: 'part-end', choice: event.choice, part: event.part, ...(citations.length === 0 ? {} : { citations }) });
};

/** Sends buffered text that turned out not to be a stop sequence. */
const flushHeld = (state: ChoiceState, choice: number, emit: EmitEvent, except?: number): void => {
  for (const [part, matcher] of state.matchers)
    if (part !== except && state.open.has(part)) send(state, { choice, part }, matcher.flush(), emit);
};

/**
 * Ends each choice at the first stop sequence in one of its texts. The longest suffix of a text that could start a stop
 * sequence is buffered. After the cut only the ends of open parts are passed on. The response is read to its end for
 * its usage.
 */
export function createStopCutter(sequences: readonly string[]): EventFilter {
  const stops = prepareStops(sequences);
  const states = new Map<number, ChoiceState>();
  const stateOf = (choice: number): ChoiceState => {
    const known = states.get(choice) ?? createState();
    states.set(choice, known);
    return known;
  };
  return {
    push(event, emit) {
      switch (event.type) {
        case 'part-start':
          return openPart(stateOf(event.choice), event, stops, emit);
        case 'part-delta':
          return passDelta(stateOf(event.choice), event, emit);
        case 'part-end':
          return closePart(stateOf(event.choice), event, emit);
        case 'choice-end': {
          const cut = states.get(event.choice)?.cut;
          return emit(
            cut === undefined ? event : { ...event, finish: { reason: 'stop_sequence', sequence: cut.sequence } },
          );
        }
        case 'error':
          for (const [choice, state] of states) if (state.cut === undefined) flushHeld(state, choice, emit);
          return emit(event);
        default:
          return emit(event);
      }
    },
  };
}
