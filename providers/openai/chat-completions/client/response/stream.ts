import type { Usage } from '../../../../../core/api/index.ts';
import type { EventEncoder, GenerateEvent, WriteContext, WriteFrame } from '../../../../../core/api/codec.ts';
import { writeFinish } from '../../finish.ts';
import { isLegacy } from '../../request-form.ts';
import { DONE } from '../../shape.ts';
import { ChoiceWriter } from './choice-writer.ts';
import { ChunkWriter } from './response.ts';
import { writeError } from './error.ts';

type EventOf<T extends GenerateEvent['type']> = Extract<GenerateEvent, { type: T }>;

/** Writes the role, the deltas, a finish for each choice, the usage for clients that asked for it, and `[DONE]`. */
class ChunkEncoder implements EventEncoder {
  readonly #context: WriteContext;
  readonly #chunks: ChunkWriter;
  readonly #choices = new Map<number, ChoiceWriter>();
  #usage: Usage | undefined;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#chunks = new ChunkWriter(context);
  }

  push(event: GenerateEvent, write: WriteFrame): void {
    switch (event.type) {
      case 'response-start':
        return this.#start(event, write);
      case 'part-start':
        return this.#choiceOf(event.choice, write).start(event, write);
      case 'part-delta':
        return this.#choiceOf(event.choice, write).delta(event, write);
      case 'part-end':
        return this.#choiceOf(event.choice, write).end(event, write);
      case 'choice-end':
        return this.#finishChoice(event, write);
      case 'usage':
        this.#usage = event.usage;
        return undefined;
      case 'response-end':
        return this.#end(write);
      case 'error':
        return writeError(event.error, write);
    }
  }

  #start(event: EventOf<'response-start'>, write: WriteFrame): void {
    this.#chunks.begin(event);
    this.#choiceOf(0, write);
  }

  #finishChoice({ choice, finish }: EventOf<'choice-end'>, write: WriteFrame): void {
    this.#choiceOf(choice, write).finish(finish, write);
    this.#chunks.finish(choice, writeFinish(finish, isLegacy(this.#context.request)), write);
  }

  #end(write: WriteFrame): void {
    const usage = this.#usage;
    if (this.#context.request.includeUsage && usage !== undefined) this.#chunks.usage(usage, write);
    write(undefined, DONE);
  }

  /** The writer of a choice. A new choice starts with its role. */
  #choiceOf(choice: number, write: WriteFrame): ChoiceWriter {
    const known = this.#choices.get(choice);
    if (known !== undefined) return known;
    const writer = new ChoiceWriter(choice, this.#chunks, this.#context);
    this.#choices.set(choice, writer);
    this.#chunks.delta(choice, { role: 'assistant', content: '' }, write);
    return writer;
  }
}

/** https://platform.openai.com/docs/api-reference/chat/streaming */
export const encodeStream = (context: WriteContext): EventEncoder => new ChunkEncoder(context);
