import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, parseJson, type Frame } from '../../../../core/api/codec.ts';

interface CallState {
  readonly custom: boolean;
  text: string;
}
interface ChoiceState {
  begun: boolean;
  finished: boolean;
  /** In the order of their indices. */
  readonly calls: CallState[];
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

class ChatGrammar {
  readonly problems: string[] = [];
  readonly #includeUsage: boolean;
  readonly #choices = new Map<unknown, ChoiceState>();
  #at = 0;
  #head: string | undefined;
  #usageSeen = false;
  #terminal: string | undefined;

  constructor(includeUsage: boolean) {
    this.#includeUsage = includeUsage;
  }

  see(frame: Frame): void {
    if (frame.event !== undefined) this.#problem(`an event name: ${frame.event}`);
    if (this.#terminal !== undefined && !(this.#terminal === 'error' && frame.data === '[DONE]'))
      this.#problem(`data after ${this.#terminal}`);
    if (frame.data === '[DONE]') this.#done();
    else {
      const chunk = parseJson(frame.data);
      if (!isObject(chunk)) this.#problem('the data is no JSON object');
      else if (chunk['error'] !== undefined) this.#fail(chunk['error']);
      else this.#chunk(chunk);
    }
    this.#at++;
  }

  end(): readonly string[] {
    if (this.#terminal === undefined) this.#problem('the stream ends without [DONE] or an error');
    return this.problems;
  }

  #problem(text: string): void {
    this.problems.push(`frame ${this.#at}: ${text}`);
  }

  #done(): void {
    if (this.#terminal === 'error') return;
    this.#terminal = '[DONE]';
    if (this.#choices.size === 0) this.#problem('[DONE] without any choice');
    for (const [index, { finished }] of this.#choices)
      if (!finished) this.#problem(`[DONE] before choice ${String(index)} finished`);
    if (this.#includeUsage && !this.#usageSeen) this.#problem('[DONE] without the usage that was asked for');
  }

  #fail(error: unknown): void {
    const complete =
      isObject(error) && typeof error['message'] === 'string' && typeof error['type'] === 'string' && 'code' in error;
    if (!complete) this.#problem('an error without message, type and code');
    this.#terminal = 'error';
  }

  #chunk(chunk: JsonObject): void {
    const { object, id, created, model, choices, usage } = chunk;
    if (object !== 'chat.completion.chunk') this.#problem(`object is ${String(object)}`);
    if (typeof id !== 'string' || typeof created !== 'number' || typeof model !== 'string')
      this.#problem('id, created and model are needed');
    const head = JSON.stringify([id, created, model]);
    if ((this.#head ??= head) !== head) this.#problem('id, created and model must be the same on every chunk');
    if (!Array.isArray(choices)) return this.#problem('choices is no array');
    if (this.#usageSeen) this.#problem('a chunk after the usage chunk');
    if (choices.length === 0) this.#usage(usage);
    else if (this.#includeUsage ? usage !== null : usage !== undefined && usage !== null)
      this.#problem(this.#includeUsage ? 'usage must be null before the last chunk' : 'usage was not asked for');
    for (const choice of choices) this.#choice(isObject(choice) ? choice : {});
    return undefined;
  }

  #usage(usage: unknown): void {
    if (!this.#includeUsage) this.#problem('a usage chunk that was not asked for');
    if (
      !isObject(usage) ||
      !['prompt_tokens', 'completion_tokens', 'total_tokens'].every((name) => Number.isSafeInteger(usage[name]))
    )
      this.#problem('the usage chunk has no counts');
    for (const [index, { finished }] of this.#choices)
      if (!finished) this.#problem(`usage before choice ${String(index)} finished`);
    this.#usageSeen = true;
  }

  #choice({ index, delta, finish_reason: finish }: JsonObject): void {
    const state = this.#choices.get(index) ?? { begun: false, finished: false, calls: [] };
    this.#choices.set(index, state);
    if (!Number.isSafeInteger(index)) this.#problem('a choice without an index');
    if (!isObject(delta)) return this.#problem('a choice without a delta');
    if (state.finished) this.#problem(`choice ${String(index)} goes on after it finished`);
    if (!state.begun && delta['role'] !== 'assistant')
      this.#problem(`the first delta of choice ${String(index)} has no role`);
    state.begun = true;
    for (const call of asArray(delta['tool_calls'])) this.#call(state, isObject(call) ? call : {});
    if (typeof finish === 'string') this.#finish(state, delta, finish);
    else if (finish !== null) this.#problem('finish_reason must be a text or null');
    return undefined;
  }

  #call({ calls }: ChoiceState, call: JsonObject): void {
    const { index, id, type } = call;
    const custom = isObject(call['custom']);
    const body = isObject(call['custom']) ? call['custom'] : isObject(call['function']) ? call['function'] : {};
    const fragment = custom ? body['input'] : body['arguments'];
    if (typeof index !== 'number' || index > calls.length)
      return this.#problem(`tool call ${String(index)} where ${calls.length} is due`);
    if (typeof fragment !== 'string') return this.#problem(`tool call ${index} has a fragment without text`);
    const known = calls[index];
    if (known === undefined) {
      if (
        !id ||
        typeof id !== 'string' ||
        type !== (custom ? 'custom' : 'function') ||
        !body['name'] ||
        fragment !== ''
      )
        this.#problem(`the first fragment of tool call ${index} needs id, type, name and empty arguments`);
      calls.push({ custom, text: fragment });
      return undefined;
    }
    if (id !== undefined || body['name'] !== undefined) this.#problem(`tool call ${index} repeats its id or name`);
    known.text += fragment;
    return undefined;
  }

  #finish(state: ChoiceState, delta: JsonObject, reason: string): void {
    state.finished = true;
    if (Object.keys(delta).length > 0) this.#problem('the delta of the finish chunk is not empty');
    if (reason !== 'tool_calls') return;
    if (state.calls.length === 0) this.#problem('finish_reason tool_calls without a tool call');
    state.calls.forEach(({ custom, text }, index) => {
      if (!custom && parseJson(text) === undefined)
        this.#problem(`the arguments of tool call ${index} are no JSON: ${text.slice(0, 80)}`);
    });
  }
}

/**
 * What is wrong with a chat-completions stream as it is written to clients. Empty: nothing.
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
export const checkChatFrames = (
  frames: readonly Frame[],
  { includeUsage = false }: { readonly includeUsage?: boolean } = {},
): readonly string[] => {
  const grammar = new ChatGrammar(includeUsage);
  for (const frame of frames) if (frame.data !== '') grammar.see(frame);
  return grammar.end();
};
