import { createBufferLimit, weighLogprobs } from '../../canonical/buffer-limit.ts';
import type { EmitEvent, GenerateEvent, PartDelta, PartEnd, PartStart } from '../../canonical/event.ts';
import type { TokenLogprob } from '../../canonical/part.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import type { Exchange, ExchangeOf } from '../../contracts/exchange.ts';
import type { Guard, GuardedContent, GuardVerdict } from '../../contracts/attempt.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import { composeFilters } from '../../fits/support/filter.ts';

/** The guards of an attempt, in the order of the plugins; undefined if there is none. */
export type FindGuards = (exchange: Exchange) => readonly Guard[] | undefined;

/** @returns undefined if no plugin has the hook */
export function composeGuards(plugins: readonly PluginInstance[]): FindGuards | undefined {
  const hooks = plugins.flatMap((plugin) => plugin.guard?.bind(plugin) ?? []);
  if (hooks.length === 0) return undefined;
  const listGuards = (exchange: ExchangeOf<'generate'>): readonly Guard[] =>
    hooks.flatMap((hook) => hook(exchange) ?? []);
  return (exchange) => {
    const guards = exchange.operation === 'generate' ? listGuards(exchange) : [];
    return guards.length === 0 ? undefined : guards;
  };
}

/** What the guards have done with a response so far. */
interface GuardReport {
  isRefused: boolean;
  /** What a guard threw after it had returned a promise: the response ends with it. */
  failure: { readonly thrown: unknown } | undefined;
  /** Verdicts that are not due yet. They never reject. */
  readonly pending: Set<Promise<void>>;
  /** Choices with text that is not the model's. */
  readonly changed: Set<number>;
}

interface OpenPart {
  readonly start: PartStart;
  /** Undefined: a part without text. */
  readonly kind: GuardedContent['kind'] | undefined;
  /** The start is sent with the first text, so that nothing remains of a part that is refused whole. */
  isStarted: boolean;
  held: string;
  isChanged: boolean;
  /** Sent when the part ends, because they are text as well. */
  readonly logprobs: TokenLogprob[];
}

interface OpenChoice {
  /** By number, in the order of their starts. */
  readonly parts: Map<number, OpenPart>;
  /** The number of a further part. */
  next: number;
}

/** How much of the text can be sent. A character of two code units is not split. */
const countSendable = (text: string, window: number): number => {
  const count = Math.max(0, text.length - window);
  return count > 0 && /[\uD800-\uDBFF]/.test(text.charAt(count - 1)) ? count - 1 : count;
};

/** Passes the events of one response through one guard. */
class GuardFilter implements EventFilter {
  readonly #guard: Guard;
  readonly #window: number;
  readonly #report: GuardReport;
  readonly #choices = new Map<number, OpenChoice>();
  readonly #keep = createBufferLimit();
  /** The events that came while a verdict is waited for; undefined: none is. */
  #queue: GenerateEvent[] | undefined;
  #isOver = false;

  constructor(guard: Guard, window: number, report: GuardReport) {
    this.#guard = guard;
    this.#window = window;
    this.#report = report;
  }

  push(event: GenerateEvent, emit: EmitEvent): void {
    if (this.#isOver) return;
    if (this.#queue !== undefined) return void this.#queue.push(event);
    switch (event.type) {
      case 'part-start':
        return this.#start(event, emit);
      case 'part-delta':
        return this.#add(event, emit);
      case 'part-end':
        return this.#end(event, emit);
      case 'choice-end':
        this.#choices.delete(event.choice);
        return emit(event);
      default:
        return emit(event);
    }
  }

  #start(event: PartStart, emit: EmitEvent): void {
    const choice = this.#choices.get(event.choice) ?? { parts: new Map(), next: 0 };
    this.#choices.set(event.choice, choice);
    choice.next = Math.max(choice.next, event.part + 1);
    const kind = event.kind === 'media' || event.kind === 'opaque' ? undefined : event.kind;
    const part: OpenPart = { start: event, kind, isStarted: false, held: '', isChanged: false, logprobs: [] };
    choice.parts.set(event.part, part);
    if (kind === undefined) this.#emitStarts(choice, part, emit);
  }

  /** Sends the start of this part, after those of earlier parts: their order is kept. */
  #emitStarts({ parts }: OpenChoice, last: OpenPart, emit: EmitEvent): void {
    if (last.isStarted) return;
    for (const part of parts.values()) {
      if (!part.isStarted) emit(part.start);
      part.isStarted = true;
      if (part === last) return;
    }
  }

  #add(event: PartDelta, emit: EmitEvent): void {
    const choice = this.#choices.get(event.choice);
    const part = choice?.parts.get(event.part);
    if (choice === undefined || part === undefined) return emit(event);
    part.held += event.text;
    this.#keep(weighLogprobs(event.logprobs));
    for (const token of event.logprobs ?? []) part.logprobs.push(token);
    if (part.held.length > this.#window) this.#release(choice, part, false, emit);
  }

  #end(event: PartEnd, emit: EmitEvent): void {
    const choice = this.#choices.get(event.choice);
    const part = choice?.parts.get(event.part);
    if (choice === undefined || part === undefined) return emit(event);
    if (part.held !== '') this.#release(choice, part, true, emit);
    if (this.#isOver) return;
    // The part ends after the verdict about its last text.
    if (this.#queue !== undefined) return void this.#queue.push(event);
    this.#emitStarts(choice, part, emit);
    choice.parts.delete(event.part);
    const { isChanged, logprobs } = part;
    if (!isChanged && logprobs.length > 0)
      emit({ type: 'part-delta', choice: event.choice, part: event.part, text: '', logprobs });
    emit(part.isChanged ? withoutEvidence(event, part) : event);
  }

  /** Inspects the text of a part, and sends what is not held back. */
  #release(open: OpenChoice, part: OpenPart, isEnd: boolean, emit: EmitEvent): void {
    const { start, kind } = part;
    if (kind === undefined) return this.#apply(open, part, isEnd, 'pass', emit);
    const { choice, part: handle, call } = start;
    const content = { choice, part: handle, kind, call, isEnd } as GuardedContent;
    const verdict = this.#guard.inspect(part.held, content);
    if (verdict instanceof Promise)
      this.#wait(verdict, (settled) => this.#apply(open, part, isEnd, settled, emit), emit);
    else this.#apply(open, part, isEnd, verdict, emit);
  }

  #wait(verdict: Promise<GuardVerdict>, apply: (verdict: GuardVerdict) => void, emit: EmitEvent): void {
    const queue: GenerateEvent[] = [];
    this.#queue = queue;
    const { pending } = this.#report;
    const conclude = async (): Promise<void> => {
      try {
        const result = await verdict;
        this.#queue = undefined;
        apply(result);
        for (const event of queue) this.push(event, emit);
      } catch (thrown) {
        this.#isOver = true;
        this.#report.failure ??= { thrown };
      }
      pending.delete(settled);
    };
    const settled = conclude();
    pending.add(settled);
  }

  #apply(open: OpenChoice, part: OpenPart, isEnd: boolean, verdict: GuardVerdict, emit: EmitEvent): void {
    const { choice, part: handle } = part.start;
    let window = this.#window;
    if (verdict !== 'pass') {
      if ('refuse' in verdict) return this.#refuse(choice, verdict.refuse, emit);
      if (verdict.replace !== undefined) {
        part.held = verdict.replace;
        part.isChanged = true;
        this.#report.changed.add(choice);
      }
      window = Math.max(window, verdict.hold ?? 0);
    }
    const count = isEnd ? part.held.length : countSendable(part.held, window);
    if (count === 0) return;
    this.#emitStarts(open, part, emit);
    emit({ type: 'part-delta', choice, part: handle, text: part.held.slice(0, count) });
    part.held = part.held.slice(count);
  }

  /** Ends every open choice, the refused one with the message. */
  #refuse(refused: number, text: string, emit: EmitEvent): void {
    this.#isOver = true;
    this.#report.isRefused = true;
    for (const [choice, { parts, next }] of this.#choices) {
      for (const [part, { isStarted }] of parts) if (isStarted) emit({ type: 'part-end', choice, part });
      if (choice === refused) {
        this.#report.changed.add(choice);
        emit({ type: 'part-start', choice, part: next, kind: 'refusal' });
        emit({ type: 'part-delta', choice, part: next, text });
        emit({ type: 'part-end', choice, part: next });
      }
      emit({ type: 'choice-end', choice, finish: { reason: 'refusal', explanation: text } });
    }
    emit({ type: 'response-end' });
  }
}

/** Ranges of citations, and signatures of reasoning, are those of the model's own text. */
const withoutEvidence = ({ type, choice, part, proof }: PartEnd, { kind }: OpenPart): PartEnd => ({
  type,
  choice,
  part,
  ...(proof === undefined || kind === 'reasoning' ? {} : { proof }),
});

export interface GuardedResponse extends Readonly<Omit<GuardReport, 'pending'>> {
  readonly filter: EventFilter;
  /** Resolves when a verdict that is waited for is due; undefined: none is. What follows can wait for a further one. */
  waiting(): Promise<unknown> | undefined;
}

/** @param isWhole the response is plain: each part is inspected once, as a whole */
export function guardResponse(guards: readonly Guard[], isWhole: boolean): GuardedResponse {
  const pending = new Set<Promise<void>>();
  const report: GuardReport = { isRefused: false, failure: undefined, pending, changed: new Set() };
  // The last of several filters gets the events first.
  const filters = guards
    .toReversed()
    .map((guard) => () => new GuardFilter(guard, isWhole ? Number.POSITIVE_INFINITY : guard.window, report));
  const filter = composeFilters(filters) ?? { push: (event, emit) => emit(event) };
  const waiting = (): Promise<unknown> | undefined => (pending.size === 0 ? undefined : Promise.all(pending));
  return Object.assign(report, { filter, waiting });
}
