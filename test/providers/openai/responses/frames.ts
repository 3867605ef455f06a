import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, lookUp, parseJson, type Frame } from '../../../../core/api/codec.ts';
import { itemEvents, ResponseItem } from './item-frames.ts';

/** The full object always has these, null without a value. */
const echoed = [
  'error',
  'incomplete_details',
  'instructions',
  'metadata',
  'parallel_tool_calls',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
];
const statusOf: Readonly<Record<string, string>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
};
const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const hasCounts = (usage: JsonObject): boolean => {
  const { input_tokens_details: input, output_tokens_details: output } = usage;
  const counts = [
    ...['input_tokens', 'output_tokens', 'total_tokens'].map((name) => usage[name]),
    isObject(input) ? input['cached_tokens'] : undefined,
    isObject(output) ? output['reasoning_tokens'] : undefined,
  ];
  return (
    counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
    usage['total_tokens'] === Number(usage['input_tokens']) + Number(usage['output_tokens'])
  );
};

/** The text of all output_text parts: what the SDK calculates as `output_text`. */
const outputText = (output: readonly unknown[]): string =>
  output
    .flatMap((item) => (isObject(item) && item['type'] === 'message' ? asArray(item['content']) : []))
    .map((part) => (isObject(part) && part['type'] === 'output_text' ? String(part['text']) : ''))
    .join('');

class ResponsesGrammar {
  readonly problems: string[] = [];
  readonly #includeUsage: boolean;
  readonly #done: JsonObject[] = [];
  #at = 0;
  #id: unknown;
  #began = 0;
  #open: ResponseItem | undefined;
  #terminal: string | undefined;

  constructor(includeUsage: boolean) {
    this.#includeUsage = includeUsage;
  }

  see(frame: Frame): void {
    const data = parseJson(frame.data);
    if (!isObject(data)) this.#problem('the data is no JSON object');
    else if (data['type'] !== frame.event)
      this.#problem(`the event is named ${String(frame.event)}, its data ${String(data['type'])}`);
    else this.#event(String(frame.event), data);
    this.#at++;
  }

  end(): readonly string[] {
    if (this.#terminal === undefined) this.#problem('the stream ends without a terminal event');
    return this.problems;
  }

  #problem(text: string): void {
    this.problems.push(`frame ${this.#at}: ${text}`);
  }

  #event(type: string, data: JsonObject): void {
    if (data['sequence_number'] !== this.#at)
      this.#problem(`sequence_number ${String(data['sequence_number'])} where ${this.#at} is due`);
    if (this.#terminal !== undefined) this.#problem(`${type} after ${this.#terminal}`);
    if (this.#id === undefined && type !== 'response.created' && type !== 'error')
      this.#problem(`${type} before response.created`);
    const handle = lookUp(this.#handlers, type);
    if (handle !== undefined) handle(data);
    else if (lookUp(statusOf, type) !== undefined) this.#end(type, data['response']);
    else this.#body(type, data);
  }

  readonly #handlers: Readonly<Record<string, (data: JsonObject) => void>> = {
    'keepalive': () => undefined,
    'response.created': ({ response }) => {
      if (this.#id !== undefined) this.#problem('a second response.created');
      this.#object(response, 'in_progress');
      this.#id = isObject(response) ? response['id'] : '';
      if (isObject(response) && asArray(response['output']).length > 0)
        this.#problem('response.created must have an empty output');
    },
    'response.in_progress': ({ response }) => {
      if (this.#began > 0) this.#problem('response.in_progress after an item');
      this.#object(response, 'in_progress');
    },
    'response.output_item.added': ({ output_index: index, item }) => {
      if (this.#open !== undefined)
        this.#problem(`item ${String(index)} begins while item ${this.#open.index} is open`);
      if (index !== this.#began) this.#problem(`item ${String(index)} where ${this.#began} is due`);
      this.#open = new ResponseItem(this.#began++, isObject(item) ? item : {}, (text) => this.#problem(text));
    },
    'response.output_item.done': ({ output_index: index, item }) => {
      if (this.#open === undefined || this.#open.index !== index)
        return this.#problem(`end of item ${String(index)}, which is not open`);
      const final = isObject(item) ? item : {};
      this.#open.end(final);
      this.#done.push(final);
      this.#open = undefined;
      return undefined;
    },
    'error': ({ code, message }) => {
      if (this.#id !== undefined) this.#problem('error after response.created: response.failed is due');
      if (typeof message !== 'string' || (typeof code !== 'string' && code !== null))
        this.#problem('error without message and code');
      this.#terminal = 'error';
    },
  };

  /** Every event of an item names it. */
  #body(type: string, data: JsonObject): void {
    const open = this.#open;
    if (!itemEvents.has(type)) return this.#problem(`an unknown event: ${type}`);
    if (open === undefined || data['output_index'] !== open.index)
      return this.#problem(`${type} of item ${String(data['output_index'])}, which is not open`);
    if (data['item_id'] !== open.id || !open.id)
      this.#problem(`${type} with item_id ${String(data['item_id'])} for item ${String(open.id)}`);
    open.see(type, data);
    return undefined;
  }

  #object(response: unknown, status: string): void {
    if (!isObject(response)) return this.#problem('no response object');
    if (
      typeof response['id'] !== 'string' ||
      response['object'] !== 'response' ||
      typeof response['created_at'] !== 'number' ||
      typeof response['model'] !== 'string'
    )
      this.#problem('the response needs id, object, created_at and model');
    if (this.#id !== undefined && response['id'] !== this.#id) this.#problem('the response has another id');
    if (response['status'] !== status)
      this.#problem(`the response has status ${String(response['status'])}, not ${status}`);
    if (!Array.isArray(response['output'])) this.#problem('the response has no output');
    const missing = echoed.filter((name) => response[name] === undefined);
    if (missing.length > 0) this.#problem(`the response lacks ${missing.join()}`);
    return undefined;
  }

  #end(type: string, response: unknown): void {
    this.#terminal = type;
    this.#object(response, String(statusOf[type]));
    if (!isObject(response)) return;
    const output = asArray(response['output']);
    const { error, incomplete_details: details, usage, output_text: text } = response;
    if (
      type === 'response.failed' &&
      !(isObject(error) && error['code'] && typeof error['code'] === 'string' && typeof error['message'] === 'string')
    )
      this.#problem('response.failed without the code and message of its error');
    if (type === 'response.incomplete' && !(isObject(details) && typeof details['reason'] === 'string'))
      this.#problem('response.incomplete without a reason');
    if (type === 'response.completed' && (error !== null || details !== null))
      this.#problem('response.completed with an error or incomplete_details');
    if (type !== 'response.failed') this.#complete(output, text);
    if (!isDeepStrictEqual(output.slice(0, this.#done.length), this.#done) || output.length > this.#began)
      this.#problem(
        `the output differs from the items done: ${JSON.stringify(output).slice(0, 200)} ` +
          `for ${JSON.stringify(this.#done).slice(0, 200)}`,
      );
    const missing = this.#includeUsage && type !== 'response.failed';
    if (isObject(usage) ? !hasCounts(usage) : missing || (usage !== undefined && usage !== null))
      this.#problem('the usage has no counts, or they do not add up');
    if (type === 'response.completed')
      for (const item of this.#done)
        if (item['type'] === 'function_call' && parseJson(String(item['arguments'])) === undefined)
          this.#problem(
            `the arguments of ${String(item['name'])} are no JSON: ${String(item['arguments']).slice(0, 80)}`,
          );
  }

  /** A stream that was not cut off leaves no item open, and ends with all of its output. */
  #complete(output: readonly unknown[], text: unknown): void {
    if (this.#open !== undefined) this.#problem(`the response ends while item ${this.#open.index} is open`);
    if (output.length !== this.#done.length)
      this.#problem(`an output of ${output.length} items where ${this.#done.length} are done`);
    if (text !== outputText(output)) this.#problem(`output_text is ${JSON.stringify(text)}`);
  }
}

/**
 * What is wrong with a responses stream as it is written to clients. Empty: nothing.
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
export const checkResponsesFrames = (
  frames: readonly Frame[],
  { includeUsage = false }: { readonly includeUsage?: boolean } = {},
): readonly string[] => {
  const grammar = new ResponsesGrammar(includeUsage);
  for (const frame of frames) if (frame.data !== '') grammar.see(frame);
  return grammar.end();
};
