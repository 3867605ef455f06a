import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, parseJson, readText, type Frame } from '../../../../core/api/codec.ts';

/** https://ai.google.dev/api/interactions-api */
const ends: ReadonlySet<unknown> = new Set(['requires_action', 'completed', 'incomplete']);
const counts = ['total_input_tokens', 'total_output_tokens', 'total_thought_tokens', 'total_tool_use_tokens'] as const;

/** The deltas that a step of a type can have. Steps of tools that run at the vendor have deltas of their own type. */
const deltasOf: Readonly<Record<string, ReadonlySet<string>>> = {
  thought: new Set(['thought_summary', 'thought_signature']),
  model_output: new Set(['text', 'text_annotation_delta', 'image', 'audio', 'video', 'document']),
  function_call: new Set(['arguments_delta']),
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

class InteractionGrammar {
  readonly problems: string[] = [];
  readonly #includeUsage: boolean;
  #at = 0;
  #id: string | undefined;
  #open: { readonly index: unknown; readonly type: string } | undefined;
  #next = 0;
  #arguments = '';
  #calls = 0;
  #terminal: string | undefined;

  constructor(includeUsage: boolean) {
    this.#includeUsage = includeUsage;
  }

  see(frame: Frame): void {
    if (this.#terminal === 'done' || this.#terminal === 'error') this.#problem(`data after ${this.#terminal}`);
    if (frame.data === '[DONE]') this.#end(frame);
    else {
      const event = parseJson(frame.data);
      if (!isObject(event)) this.#problem(`the data is no JSON object: ${frame.data.slice(0, 40)}`);
      else if (event['event_type'] !== frame.event) this.#problem(`the data of ${frame.event} has another event_type`);
      else this.#event(readText(event['event_type']), event);
    }
    this.#at++;
  }

  end(): readonly string[] {
    if (this.#terminal !== 'error' && this.#terminal !== 'done') this.#problem('the stream ends without an end');
    return this.problems;
  }

  #problem(text: string): void {
    this.problems.push(`frame ${this.#at}: ${text}`);
  }

  #end({ event }: Frame): void {
    if (event !== 'done') this.#problem(`[DONE] in an event ${event}`);
    if (this.#terminal !== 'interaction.completed') this.#problem('[DONE] before the interaction is completed');
    this.#terminal = 'done';
  }

  #event(type: string, event: JsonObject): void {
    if (this.#terminal !== undefined) return this.#problem(`${type} after ${this.#terminal}`);
    switch (type) {
      case 'interaction.created':
        return this.#created(event['interaction']);
      case 'interaction.status_update':
        if (event['interaction_id'] !== this.#id) this.#problem('a status of another interaction');
        return undefined;
      case 'step.start':
        return this.#start(event);
      case 'step.delta':
        return this.#delta(event);
      case 'step.stop':
        return this.#stop(event);
      case 'interaction.completed':
        return this.#completed(event['interaction']);
      case 'error':
        return this.#error(event['error']);
      default:
        return this.#problem(`an unknown event: ${type}`);
    }
  }

  #created(interaction: unknown): void {
    const { id, status, object, model } = isObject(interaction) ? interaction : {};
    if (this.#id !== undefined) this.#problem('a second interaction');
    if (typeof id !== 'string' || id === '' || status !== 'in_progress' || object !== 'interaction')
      this.#problem('an interaction without id, status and object');
    if (typeof model !== 'string' || model === '') this.#problem('an interaction without a model');
    this.#id = readText(id);
  }

  #start({ index, step }: JsonObject): void {
    const { type, id, name, arguments: args } = isObject(step) ? step : {};
    if (this.#id === undefined) this.#problem('a step before the interaction');
    if (this.#open !== undefined) this.#problem('a step within a step');
    if (index !== this.#next) this.#problem(`step ${String(index)} where ${this.#next} is next`);
    this.#next++;
    this.#open = { index, type: readText(type) };
    if (type !== 'function_call') return;
    if (readText(id) === '' || readText(name) === '' || !isObject(args)) this.#problem('a call without id and name');
    this.#arguments = '';
    this.#calls++;
  }

  #delta({ index, delta }: JsonObject): void {
    if (this.#open?.index !== index) return this.#problem('a delta of a step that is not open');
    const { type, text, arguments: piece } = isObject(delta) ? delta : {};
    const allowed = deltasOf[this.#open?.type ?? ''];
    if (allowed !== undefined && !allowed.has(readText(type)))
      this.#problem(`a delta ${String(type)} in a step ${this.#open?.type}`);
    if (type === 'text' && readText(text) === '') this.#problem('an empty text');
    if (type === 'arguments_delta') this.#arguments += readText(piece);
    return undefined;
  }

  #stop({ index }: JsonObject): void {
    if (this.#open?.index !== index) this.#problem('the end of a step that is not open');
    this.#open = undefined;
  }

  #completed(interaction: unknown): void {
    const { id, status, usage } = isObject(interaction) ? interaction : {};
    if (id !== this.#id) this.#problem('the end of another interaction');
    if (!ends.has(status)) this.#problem(`an unknown end: ${String(status)}`);
    if (this.#open !== undefined) this.#problem('a step is open at the end');
    if (status === 'requires_action' && this.#calls === 0) this.#problem('an action without a call');
    if (this.#calls > 0 && status !== 'incomplete' && !isObject(parseJson(this.#arguments)))
      this.#problem('arguments that are no JSON object');
    if (isObject(usage)) this.#usage(usage);
    else if (this.#includeUsage) this.#problem('no usage at the end');
    this.#terminal = 'interaction.completed';
  }

  #usage(usage: JsonObject): void {
    const parts = counts.map((name) => usage[name]);
    if (!parts.every(isCount)) return this.#problem('usage without counts');
    if (usage['total_tokens'] !== parts.reduce<number>((sum, count) => sum + Number(count), 0))
      this.#problem('total_tokens is not the sum of the counts');
    return undefined;
  }

  #error(error: unknown): void {
    const { code, message } = isObject(error) ? error : {};
    if (typeof code !== 'string' || typeof message !== 'string') this.#problem('an error without code and message');
    this.#terminal = 'error';
  }
}

/**
 * Returns what is wrong with a stream of interactions for clients; empty if nothing is.
 * https://ai.google.dev/gemini-api/docs/interactions/streaming
 */
export const checkInteractionFrames = (
  frames: readonly Frame[],
  { includeUsage = false }: { readonly includeUsage?: boolean } = {},
): readonly string[] => {
  const grammar = new InteractionGrammar(includeUsage);
  for (const frame of frames) if (frame.data !== '') grammar.see(frame);
  return grammar.end();
};
