import type { Finish, GenerateResponse, JsonObject, Media, OpaquePart, Usage } from '../../../../../core/api/index.ts';
import {
  type CallHead,
  createBufferLimit,
  createPartQueue,
  type GenerateEvent,
  isObject,
  type PartEncoder,
  type PartEvent,
  type PartStart,
  readText,
  unfoldResponse,
  type WriteContext,
  writeExtraMembers,
} from '../../../../../core/api/codec.ts';
import { writeStatus } from '../../finish.ts';
import { isStepType, WIRE } from '../../shape.ts';
import { writeUsage } from '../../usage.ts';
import { writeSearch } from '../../web-search.ts';
import { type Emit, startCall, startText, startThought, StepList, writeContent, writeMedia } from './parts.ts';
import { reportTier } from '../../../settings.ts';

type EventOf<T extends GenerateEvent['type']> = Extract<GenerateEvent, { type: T }>;

/** Written for a model that the provider did not report. */
const UNNAMED = 'unknown';
const ID = 'v1_';

const writeTime = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;

const noPart: PartEncoder = { delta: () => {}, end: () => {} };

/**
 * Writes one response as the events of this wire: created, the steps one after the other, completed.
 * https://ai.google.dev/gemini-api/docs/interactions/streaming
 */
export class InteractionWriter {
  readonly #context: WriteContext;
  readonly #emit: Emit;
  readonly #list: StepList;
  /** Parts can interleave; steps of this wire do not: each part is a step of its own. */
  readonly #queue = createPartQueue((event) => this.#writePart(event));
  /** Texts are kept for their annotations, and whole steps for later requests. */
  readonly #keep = createBufferLimit();
  readonly #callIds = new Set<string>();
  #part = noPart;
  #head: { readonly id: string; readonly model: string } | undefined;
  #usage: Usage | undefined;
  #finish: Finish = { reason: 'stop' };

  constructor(context: WriteContext, emit: Emit) {
    this.#context = context;
    this.#emit = emit;
    this.#list = new StepList(emit);
  }

  push(event: Exclude<GenerateEvent, { type: 'error' }>): void {
    switch (event.type) {
      case 'response-start':
        return this.#begin(event);
      case 'part-start':
      case 'part-delta':
      case 'part-end':
        return this.#queuePart(event);
      case 'choice-end':
        return this.#endChoice(event);
      case 'usage':
        this.#usage = event.usage;
        return undefined;
      case 'response-end':
        return this.#end();
    }
  }

  /** The interaction with its steps, once the response has ended. */
  compose(): JsonObject {
    const usage = this.#usage;
    const tier = reportTier(usage?.tier);
    return {
      ...this.#composeHead(writeStatus(this.#finish)),
      created: writeTime(this.#context.created),
      updated: writeTime(this.#context.now()),
      ...(tier === undefined ? {} : { service_tier: tier }),
      steps: this.#list.steps,
      ...(usage === undefined ? {} : { usage: writeUsage(usage) }),
    };
  }

  #composeHead(status: string): JsonObject {
    return { ...this.#head, object: 'interaction', status };
  }

  #begin({ id = '', model = UNNAMED }: { readonly id?: string; readonly model?: string }): void {
    if (this.#head !== undefined) return;
    this.#head = { id: id.startsWith(ID) ? id : this.#context.newId(ID), model };
    const status = 'in_progress';
    this.#emit('interaction.created', { interaction: this.#composeHead(status) });
    this.#emit('interaction.status_update', { interaction_id: this.#head.id, status });
  }

  #queuePart(event: PartEvent): void {
    if (event.choice !== 0) return;
    this.#begin({});
    this.#queue(event);
  }

  #writePart(event: PartEvent): void {
    if (event.type === 'part-start') this.#part = this.#startPart(event);
    else if (event.type === 'part-end') this.#part.end(event);
    else if (event.text !== '') {
      this.#keep(event.text.length);
      this.#part.delta(event.text);
    }
  }

  #startPart({ kind, call, redacted = false, value }: PartStart): PartEncoder {
    const { request, lose } = this.#context;
    switch (kind) {
      case 'text':
      case 'refusal':
        return startText(this.#list, lose);
      case 'reasoning':
        return startThought(this.#list, { visible: !redacted && request.reasoning?.show !== false, redacted });
      case 'tool-call':
        return call === undefined ? noPart : startCall(this.#list, this.#claim(call), lose);
      case 'media':
        writeMedia(this.#list, value as Media);
        return noPart;
      case 'opaque':
        this.#writeOpaque(value as OpaquePart);
        return noPart;
    }
  }

  #writeOpaque({ wire, value, search }: OpaquePart): void {
    const { newId, lose } = this.#context;
    if (wire === WIRE && isObject(value)) {
      if (isStepType(readText(value['type']))) this.#list.write(value);
      else writeContent(this.#list, value);
    } else if (search === undefined) lose('steps', 'dropped', `a block that exists only on ${wire}`);
    else for (const step of writeSearch(search, newId('search_'))) this.#list.write(step);
  }

  /** An id that is missing or used twice is replaced: results are found by it. */
  #claim(call: CallHead): CallHead {
    const id = call.id === '' || this.#callIds.has(call.id) ? this.#context.newId('call_') : call.id;
    this.#callIds.add(id);
    return id === call.id ? call : { ...call, id };
  }

  #endChoice({ choice, finish }: EventOf<'choice-end'>): void {
    if (choice !== 0) return;
    this.#finish = finish;
    if ((finish.explanation ?? '') !== '')
      this.#context.lose('status', 'dropped', 'interactions has no member for the explanation of a refusal');
  }

  #end(): void {
    this.#begin({});
    if (this.#head !== undefined) this.#context.keep?.(this.#head.id, this.#list.steps);
    const { steps: _steps, ...interaction } = this.compose();
    this.#emit('interaction.completed', { interaction });
  }
}

/** The interaction: https://ai.google.dev/api/interactions-api */
export function encodeResponse(response: GenerateResponse, context: WriteContext): JsonObject {
  const writer = new InteractionWriter(context, () => {});
  unfoldResponse(response, (event) => {
    if (event.type !== 'error') writer.push(event);
  });
  return {
    ...writer.compose(),
    ...writeExtraMembers(response.extra, WIRE, context.lose),
    ...writeExtraMembers(response.choices[0]?.extra, WIRE, context.lose),
  };
}
