import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  type ChoiceWriter,
  createBufferLimit,
  type EventWriter,
  type ReadContext,
  readObjects,
  readText,
} from '../../../../../core/api/codec.ts';
import { isFailed, readFinish } from '../../finish.ts';
import { BilledQueries } from '../../../generate-content/web-search.ts';
import { countSearch, readUsage } from '../../usage.ts';
import { decodeFailure } from './error.ts';
import { createStepReader, type StepContext, type StepReader } from './step-readers.ts';

interface OpenStep {
  readonly reader: StepReader;
  /** As it started. */
  readonly step: Readonly<JsonObject>;
}

/** Steps of the conversation, which some responses repeat. */
const isInput = ({ type }: Readonly<JsonObject>): boolean => type === 'user_input' || type === 'function_result';

/** Reads one interaction, step by step. A plain response has all its steps at once. */
export class InteractionReader {
  readonly #context: StepContext;
  readonly #events: EventWriter;
  readonly #answer: ChoiceWriter;
  readonly #searches = new BilledQueries();
  readonly #open = new Map<number, OpenStep>();
  #steps = 0;

  constructor(context: ReadContext, events: EventWriter) {
    this.#events = events;
    this.#answer = events.choice(0);
    this.#context = { ...context, answer: this.#answer, keep: createBufferLimit() };
  }

  start({ id, model }: Readonly<JsonObject>): void {
    this.#events.start({ id: readText(id), model: readText(model) });
  }

  startStep(index: number, step: Readonly<JsonObject>): void {
    this.stopStep(index);
    if (isInput(step)) return;
    this.#steps += 1;
    this.#context.keep(BUFFERED_ENTRY_COST);
    countSearch(this.#searches, step);
    this.#open.set(index, { reader: createStepReader(this.#context, step), step });
  }

  delta(index: number, delta: Readonly<JsonObject>): void {
    const open = this.#open.get(index);
    countSearch(this.#searches, { ...delta, type: open?.step['type'] });
    open?.reader.delta(delta);
  }

  stopStep(index: number): void {
    this.#open.get(index)?.reader.end();
    this.#open.delete(index);
  }

  /**
   * Ends the response. What no event has brought is taken from the final object.
   * @throws GatewayError the error of an interaction that has failed
   */
  finish(interaction: Readonly<JsonObject>): void {
    this.start(interaction);
    for (const index of this.#open.keys()) this.stopStep(index);
    if (this.#steps === 0)
      for (const [index, step] of readObjects(interaction['steps']).entries()) {
        this.startStep(index, step);
        this.stopStep(index);
      }
    const usage = readUsage(interaction, this.#searches.size, this.#context.billsOneSearch);
    if (isFailed(interaction)) {
      this.#events.usage(usage);
      throw decodeFailure(interaction);
    }
    this.#answer.finish(
      readFinish(readText(interaction['status']), { calls: this.#answer.calls > 0 }, this.#context.lose),
    );
    this.#events.usage(usage);
    this.#events.end();
  }
}
