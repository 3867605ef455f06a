import type { Finish, GenerateResponse, JsonObject, Usage } from '../../../../../core/api/index.ts';
import {
  createPartQueue,
  type GenerateEvent,
  isObject,
  type PartEvent,
  readObjects,
  readText,
  unfoldResponse,
  type WriteContext,
  writeExtraMembers,
} from '../../../../../core/api/codec.ts';
import { markEstimated } from '../../../chat-completions/usage.ts';
import { describeTier } from '../../../service-tier.ts';
import { writeFinish } from '../../finish.ts';
import { WIRE } from '../../shape.ts';
import { writeUsage } from '../../usage.ts';
import { echoSettings } from './echo.ts';
import { describeFailure } from './error.ts';
import { ItemWriter } from './item-writer.ts';
import { type Emit, type Item, OutputList } from './output-list.ts';

type EventOf<T extends GenerateEvent['type']> = Extract<GenerateEvent, { type: T }>;

/** Written for a model that the provider did not report. */
const UNNAMED = 'unknown';
const ID = 'resp_';

const contentsOf = (items: readonly Item[]): readonly JsonObject[] =>
  items.filter(({ type }) => type === 'message').flatMap((item) => readObjects(item['content']));
const holdsRefusal = (items: readonly Item[]): boolean => contentsOf(items).some(({ type }) => type === 'refusal');
const textOf = (items: readonly Item[]): string =>
  contentsOf(items)
    .map(({ text }) => readText(text))
    .join('');

/**
 * Writes one response as the events of this wire: created, in_progress, the items one after the other, and one of
 * completed, incomplete and failed. https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ResponseWriter {
  readonly #context: WriteContext;
  readonly #emit: Emit;
  readonly #settings: JsonObject;
  readonly #output: OutputList;
  readonly #items: ItemWriter;
  /** Parts can interleave; items of this wire cannot. */
  readonly #queue: (event: PartEvent) => void;
  #head: { readonly id: string; readonly model: string } | undefined;
  #usage: Usage | undefined;
  #finish: Finish = { reason: 'stop' };

  constructor(context: WriteContext, emit: Emit) {
    this.#context = context;
    this.#emit = emit;
    this.#settings = echoSettings(context.request);
    this.#output = new OutputList(emit);
    this.#items = new ItemWriter(this.#output, context);
    this.#queue = createPartQueue((event) => this.#items.push(event));
  }

  push(event: GenerateEvent): void {
    switch (event.type) {
      case 'response-start':
        return this.#begin(event);
      case 'part-start':
      case 'part-delta':
      case 'part-end':
        return this.#writePart(event);
      case 'choice-end':
        return this.#endChoice(event);
      case 'usage':
        this.#usage = event.usage;
        return undefined;
      case 'response-end':
        return this.#end();
      case 'error':
        return this.#fail(event);
    }
  }

  #begin({ id = '', model = UNNAMED }: { readonly id?: string; readonly model?: string }): void {
    if (this.#head !== undefined) return;
    this.#head = { id: id.startsWith(ID) ? id : this.#context.newId(ID), model };
    this.#emit('response.created', { response: this.#compose('in_progress', []) });
    this.#emit('response.in_progress', { response: this.#compose('in_progress', []) });
  }

  #writePart(event: PartEvent): void {
    if (event.choice !== 0) return;
    if (this.#head === undefined) this.#begin({});
    this.#queue(event);
  }

  #endChoice({ choice, finish }: EventOf<'choice-end'>): void {
    if (choice !== 0) return;
    this.#finish = finish;
    this.#items.close(this.#readEnd().status === 'incomplete' ? 'incomplete' : 'completed');
    if ((finish.explanation ?? '') === '' || holdsRefusal(this.#output.items)) return;
    this.#context.lose('incomplete_details', 'dropped', 'responses has no member for the explanation of a refusal');
  }

  #end(): void {
    this.#begin({});
    this.#items.close('completed');
    const { status, incomplete_details } = this.#readEnd();
    // A response in the background has its own status in the object; its stream is complete all the same.
    const type = status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    const { items } = this.#output;
    if (this.#head !== undefined) this.#context.keep?.(this.#head.id, items);
    this.#emit(type, { response: this.#compose(status, items, { incomplete_details, output_text: textOf(items) }) });
  }

  #fail({ error }: EventOf<'error'>): void {
    this.#begin({});
    const items = this.#shownItems();
    const members = { error: describeFailure(error), output_text: textOf(items) };
    this.#emit('response.failed', { response: this.#compose('failed', items, members) });
  }

  #shownItems(): readonly Item[] {
    const open = this.#items.partial();
    return open === undefined ? this.#output.items : [...this.#output.items, open];
  }

  #readEnd(): ReturnType<typeof writeFinish> {
    return writeFinish(this.#finish, { refusal: holdsRefusal(this.#shownItems()) });
  }

  #compose(status: string, output: readonly Item[], members: JsonObject = {}): JsonObject {
    const usage = this.#usage;
    return {
      ...this.#head,
      object: 'response',
      created_at: this.#context.created,
      completed_at: status === 'completed' ? this.#context.now() : null,
      status,
      error: null,
      incomplete_details: null,
      ...this.#settings,
      ...(usage?.tier === undefined ? {} : { service_tier: describeTier(usage.tier) }),
      output,
      usage: usage === undefined ? null : writeUsage(usage),
      ...markEstimated(usage),
      ...members,
    };
  }
}

/**
 * The response object, as a stream of the same response would end with it.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export function encodeResponse(response: GenerateResponse, context: WriteContext): JsonObject {
  let last: JsonObject = {};
  const writer = new ResponseWriter(context, (_type, { response: written }) => {
    if (isObject(written)) last = written;
  });
  unfoldResponse(response, (event) => writer.push(event));
  return {
    ...writeExtraMembers(response.extra, WIRE, context.lose),
    ...writeExtraMembers(response.choices[0]?.extra, WIRE, context.lose),
    ...last,
  };
}
