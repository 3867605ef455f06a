import type { JsonObject, Usage } from '../../../../core/api/index.ts';
import type {
  EventEncoder,
  GenerateEvent,
  PartDelta,
  PartKind,
  WriteContext,
  WriteFrame,
} from '../../../../core/api/codec.ts';
import { writeError } from '../../chat-completions/client/response/error.ts';
import { UNNAMED } from '../../chat-completions/client/response/response.ts';
import { writeLegacyLogprobs } from '../../chat-completions/logprobs.ts';
import { DONE } from '../../chat-completions/shape.ts';
import { writeFinish } from '../finish.ts';
import { markEstimated, writeUsage } from '../usage.ts';
import { losePart } from './response.ts';

/** A part by its numbers. */
const keyOf = ({ choice, part }: { readonly choice: number; readonly part: number }): string => `${choice}.${part}`;

/** Writes a chunk for each text, a finish for each choice, the usage for clients that asked for it, and `[DONE]`. */
class CompletionEncoder implements EventEncoder {
  readonly #context: WriteContext;
  /** The kinds of the parts that are open. */
  readonly #kinds = new Map<string, PartKind>();
  /** How long the text of each choice is. */
  readonly #lengths = new Map<number, number>();
  #head: JsonObject | undefined;
  #usage: Usage | undefined;

  constructor(context: WriteContext) {
    this.#context = context;
  }

  push(event: GenerateEvent, write: WriteFrame): void {
    switch (event.type) {
      case 'response-start':
        this.#begin(event);
        return undefined;
      case 'part-start':
        this.#kinds.set(keyOf(event), event.kind);
        if (event.kind !== 'text' && event.kind !== 'refusal') losePart(event.choice, event.kind, this.#context);
        return undefined;
      case 'part-delta': {
        const kind = this.#kinds.get(keyOf(event));
        if (kind === 'text' || kind === 'refusal') this.#writeText(event, write);
        return undefined;
      }
      case 'part-end':
        if (event.citations !== undefined) losePart(event.choice, 'citations', this.#context);
        return void this.#kinds.delete(keyOf(event));
      case 'choice-end':
        return this.#writeChoice(event.choice, '', writeFinish(event.finish), write);
      case 'usage':
        this.#usage = event.usage;
        return undefined;
      case 'response-end':
        return this.#end(write);
      case 'error':
        return writeError(event.error, write);
    }
  }

  /** The members that every chunk repeats. */
  #begin({ id = '', model = UNNAMED }: { readonly id?: string; readonly model?: string }): JsonObject {
    const { created, newId } = this.#context;
    this.#head = { id: id === '' ? newId('cmpl-') : id, object: 'text_completion', created, model };
    return this.#head;
  }

  #writeText({ choice, text, logprobs }: PartDelta, write: WriteFrame): void {
    const tokens = this.#context.request.logprobs === undefined ? undefined : logprobs;
    if (text === '' && tokens === undefined) return;
    const from = this.#lengths.get(choice) ?? 0;
    this.#lengths.set(choice, from + text.length);
    this.#writeChoice(choice, text, null, write, tokens === undefined ? null : writeLegacyLogprobs(tokens, from));
  }

  #writeChoice(
    index: number,
    text: string,
    reason: string | null,
    write: WriteFrame,
    logprobs: JsonObject | null = null,
  ): void {
    const choices = [{ text, index, logprobs, finish_reason: reason }];
    const usage = this.#context.request.includeUsage ? { usage: null } : {};
    write(undefined, JSON.stringify({ ...(this.#head ?? this.#begin({})), choices, ...usage }));
  }

  #end(write: WriteFrame): void {
    const usage = this.#usage;
    if (this.#context.request.includeUsage && usage !== undefined) {
      const head = this.#head ?? this.#begin({});
      write(undefined, JSON.stringify({ ...head, choices: [], usage: writeUsage(usage), ...markEstimated(usage) }));
    }
    write(undefined, DONE);
  }
}

/** https://platform.openai.com/docs/api-reference/completions/create#completions-create-stream */
export const encodeStream = (context: WriteContext): EventEncoder => new CompletionEncoder(context);
