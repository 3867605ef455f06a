import type { Finish, GenerateResponse, JsonObject, Usage } from '../../../../../core/api/index.ts';
import {
  createPartQueue,
  type GenerateEvent,
  type PartEvent,
  unfoldResponse,
  type WriteContext,
  writeExtraMembers,
} from '../../../../../core/api/codec.ts';
import { writeStatus } from '../../finish.ts';
import { WIRE } from '../../shape.ts';
import { writeUsage } from '../../usage.ts';
import { type Emit, StepList } from './parts.ts';
import { StepWriter } from './step-writer.ts';
import { reportTier } from '../../../settings.ts';

type EventOf<T extends GenerateEvent['type']> = Extract<GenerateEvent, { type: T }>;

/** Written for a model that the provider did not report. */
const UNNAMED = 'unknown';
const ID = 'v1_';

const writeTime = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;

/**
 * Writes one response as the events of this wire: created, the steps one after the other, completed.
 * https://ai.google.dev/gemini-api/docs/interactions/streaming
 */
export class InteractionWriter {
  readonly #context: WriteContext;
  readonly #emit: Emit;
  readonly #list: StepList;
  /** Parts can interleave; steps of this wire do not. */
  readonly #queue: (event: PartEvent) => void;
  #head: { readonly id: string; readonly model: string } | undefined;
  #usage: Usage | undefined;
  #finish: Finish = { reason: 'stop' };

  constructor(context: WriteContext, emit: Emit) {
    this.#context = context;
    this.#emit = emit;
    this.#list = new StepList(emit);
    const steps = new StepWriter(this.#list, context);
    this.#queue = createPartQueue((event) => steps.push(event));
  }

  push(event: Exclude<GenerateEvent, { type: 'error' }>): void {
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

  #writePart(event: PartEvent): void {
    if (event.choice !== 0) return;
    this.#begin({});
    this.#queue(event);
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
