import { GatewayError } from '../../errors/gateway-error.ts';
import { BUFFERED_ENTRY_COST } from '../buffer-limit.ts';
import type { EmitEvent } from '../event.ts';
import type { Usage } from '../usage.ts';
import { ChoiceWriter } from './choice-writer.ts';
import { EventOutput, type ResponseHead } from './event-output.ts';

/** What a choice counts: it is larger than most entries. */
const CHOICE_COST = 4 * BUFFERED_ENTRY_COST;

const drop: EmitEvent = () => {};

/**
 * Writes the canonical events of one response, so that every stream is well-formed, whatever the vendor sends. Parts
 * are numbered, started and ended; the response starts and ends once, and nothing follows its end; `end` before every
 * choice has finished is `upstream_truncated`; halves of surrogate pairs are joined.
 * @example
 * const events = new EventWriter(emit);
 * const answer = events.choice(0);
 * events.start({ id: 'r1', model: 'slip-1' });
 * answer.reasoning('They greet me.');
 * answer.text('Hel');
 * answer.text('lo.');
 * answer.call({ id: 'c1', name: 'wave', kind: 'function' }).write('{"hands":2}');
 * answer.finish({ reason: 'tool_calls' });
 * events.end();
 */
export class EventWriter {
  readonly #output: EventOutput;
  readonly #choices = new Map<number, ChoiceWriter>();

  /** @param emit absent: `to` gives it before the first event */
  constructor(emit: EmitEvent = drop) {
    this.#output = new EventOutput(emit);
  }

  /** The terminal event has been written. What comes after it is ignored. */
  get ended(): boolean {
    return this.#output.ended;
  }

  /** From now on, events are passed to `emit`. */
  to(emit: EmitEvent): void {
    this.#output.to(emit);
  }

  /** Starts the response, once. Without it, the first event does. Empty texts count as absent. */
  start({ id, model }: ResponseHead = {}): void {
    if (this.#output.started) return;
    this.#output.start({
      ...(id === undefined || id === '' ? {} : { id }),
      ...(model === undefined || model === '' ? {} : { model }),
    });
  }

  /** The writer of a choice, the same each time. */
  choice(index: number): ChoiceWriter {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    this.#output.keep(CHOICE_COST);
    const choice = new ChoiceWriter(this.#output, index);
    this.#choices.set(index, choice);
    return choice;
  }

  /** @param usage cumulative: replaces the one before; undefined writes nothing */
  usage(usage: Usage | undefined): void {
    if (usage !== undefined) this.#output.put({ type: 'usage', usage });
  }

  /** Ends the response. If a choice has not finished, or there is none, the upstream has ended the stream too early. */
  end(): void {
    const choices = [...this.#choices.values()];
    if (choices.length > 0 && choices.every(({ finished }) => finished)) this.#output.end();
    else this.#output.fail(new GatewayError('upstream_truncated'));
  }

  /** Ends the response with an error. Parts can stay open. */
  fail(error: GatewayError): void {
    this.#output.fail(error);
  }
}
