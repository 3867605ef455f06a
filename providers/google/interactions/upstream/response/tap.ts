import { GatewayError, type JsonObject } from '../../../../../core/api/index.ts';
import {
  BUFFERED_ENTRY_COST,
  createBufferLimit,
  type Frame,
  isObject,
  lookUp,
  malformedFrame,
  type ObservedSoFar,
  parseJson,
  readObject,
  readObjects,
  readText,
  type Tap,
  type Verdict,
  withoutVendor,
  type WriteFrame,
} from '../../../../../core/api/codec.ts';
import { weighText } from '../../../../../core/api/internal.ts';
import { writeErrorEvent } from '../../client/response/error.ts';
import { isFailed, readFinish } from '../../finish.ts';
import { BilledQueries } from '../../../generate-content/web-search.ts';
import { countSearch, readUsage } from '../../usage.ts';
import { decodeEmbeddedError, decodeFailure, hasError } from './error.ts';
import { findFault } from './response.ts';
import { DONE, typeOf } from './stream.ts';

interface TapOptions {
  readonly billsOneSearch?: boolean | undefined;
  /** The server keeps the interaction, and later requests can refer to it. */
  readonly isStored: boolean;
  /** The vendor continues the interaction after this call, so it begins with its first event. */
  readonly isBackground: boolean;
}

/** Steps that start empty: their start shows nothing. */
const startsEmpty: ReadonlySet<string> = new Set(['thought', 'model_output', 'user_input']);

/** The texts of a step or of a delta. */
const listTexts = (value: Readonly<JsonObject>): readonly string[] => [
  readText(value['text']),
  readText(readObject(value['content'])['text']),
  ...readObjects(value['content']).map(({ text }) => readText(text)),
  ...readObjects(value['summary']).map(({ text }) => readText(text)),
];

const weigh = (value: Readonly<JsonObject>): number => {
  const { name, arguments: input } = value;
  const written = typeof input === 'string' ? input : isObject(input) ? JSON.stringify(input) : '';
  return listTexts(value).reduce((sum, text) => sum + weighText(text), weighText(readText(name)) + weighText(written));
};

/** Whether a delta shows the client anything: not if it only has empty texts. */
const shows = ({ type: _type, ...members }: Readonly<JsonObject>): boolean =>
  Object.values(members).some((value) => (isObject(value) ? shows(value) : value !== '' && value !== null));

/** Watches an interaction that is relayed unchanged. */
class InteractionTap implements Tap {
  readonly observed: ObservedSoFar = { outputChars: 0 };
  readonly #options: TapOptions;
  readonly #searches = new BilledQueries();
  readonly #keep = createBufferLimit();
  /** The types of the open steps, by index. */
  readonly #types = new Map<unknown, string>();
  #calls = 0;
  /** The client has been shown something. */
  #hasContent = false;
  /** The last event has come; a frame without data of its own follows it. */
  #isDone = false;

  constructor(options: TapOptions) {
    this.#options = options;
  }

  inspectFrame(frame: Frame): Verdict {
    if (frame.data === DONE) return this.#isDone ? 'end' : this.#pass(false);
    if (frame.data === '') return this.#pass(false);
    const event = parseJson(frame.data);
    if (!isObject(event)) return this.#reject(malformedFrame());
    const type = typeOf(event, frame);
    if (type === 'error') return this.#reject(decodeEmbeddedError(event));
    // Clients know no event without a type.
    if (type === '' && hasError(event)) return this.#reject(withoutVendor(decodeEmbeddedError(event)));
    return lookUp(watchers, type)?.(this, event) ?? this.#pass(false);
  }

  inspectBody(body: unknown): void {
    const interaction = readObject(body);
    for (const step of readObjects(interaction['steps'])) this.#see(step);
    this.#observe(interaction);
    this.observed.error = findFault(body);
    if (this.observed.error === undefined) this.#finish(interaction);
  }

  end(): GatewayError | undefined {
    return this.#isDone ? undefined : new GatewayError('upstream_truncated');
  }

  fail(error: GatewayError, write: WriteFrame): void {
    writeErrorEvent(error, write);
  }

  seeInteraction(interaction: Readonly<JsonObject>): Verdict {
    this.#observe(interaction);
    return this.#pass(this.#options.isBackground);
  }

  seeStart({ index, step: started }: Readonly<JsonObject>): Verdict {
    const step = readObject(started);
    const type = readText(step['type']);
    this.#keep(BUFFERED_ENTRY_COST);
    this.#types.set(index, type);
    this.#see(step);
    return this.#pass(!startsEmpty.has(type) || listTexts(step).some((text) => text !== ''));
  }

  seeDelta({ index, delta: piece }: Readonly<JsonObject>): Verdict {
    const delta = readObject(piece);
    this.observed.outputChars += weigh(delta);
    countSearch(this.#searches, { ...delta, type: this.#types.get(index) });
    return this.#pass(shows(delta));
  }

  seeEnd(interaction: Readonly<JsonObject>): Verdict {
    if (this.#types.size === 0) for (const step of readObjects(interaction['steps'])) this.#see(step);
    this.#observe(interaction);
    if (isFailed(interaction)) return this.#reject(decodeFailure(interaction));
    this.#finish(interaction);
    this.#isDone = true;
    return 'content';
  }

  #see(step: Readonly<JsonObject>): void {
    const { type } = step;
    if (type === 'function_call') this.#calls += 1;
    if (type === 'thought') this.observed.reasoned = true;
    countSearch(this.#searches, step);
    if (type !== 'user_input' && type !== 'function_result') this.observed.outputChars += weigh(step);
  }

  #observe(interaction: Readonly<JsonObject>): void {
    const usage = readUsage(interaction, this.#searches.size, this.#options.billsOneSearch);
    if (usage !== undefined) this.observed.usage = usage;
    const model = readText(interaction['model']);
    if (model !== '') this.observed.model ??= model;
    const id = readText(interaction['id']);
    if (this.#options.isStored && id !== '') this.observed.stored ??= [id];
  }

  #finish(interaction: Readonly<JsonObject>): void {
    this.observed.finish = readFinish(readText(interaction['status']), { calls: this.#calls > 0 });
  }

  #pass(hasContent: boolean): Verdict {
    this.#hasContent ||= hasContent;
    return hasContent ? 'content' : this.#hasContent ? 'pass' : 'hold';
  }

  #reject(error: GatewayError): Verdict {
    this.observed.error = error;
    return 'error';
  }
}

/** https://ai.google.dev/gemini-api/docs/interactions/streaming */
const watchers: Readonly<Record<string, (tap: InteractionTap, event: Readonly<JsonObject>) => Verdict>> = {
  'interaction.created': (tap, { interaction }) => tap.seeInteraction(readObject(interaction)),
  'step.start': (tap, event) => tap.seeStart(event),
  'step.delta': (tap, event) => tap.seeDelta(event),
  'interaction.completed': (tap, { interaction }) => tap.seeEnd(readObject(interaction)),
};

export const createTap = (options: TapOptions): Tap => new InteractionTap(options);
