import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, parseJson, type Frame } from '../../../../core/api/codec.ts';

interface OpenBlock {
  readonly index: unknown;
  readonly type: unknown;
  json: string;
  signatures: number;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** The delta types of each block type. */
const deltasOf: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  redacted_thinking: [],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
};
const textOfDelta: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

class MessagesGrammar {
  readonly problems: string[] = [];
  #at = 0;
  #started = false;
  #next = 0;
  #open: OpenBlock | undefined;
  #delivered = false;
  #terminal: string | undefined;

  see(frame: Frame): void {
    const data = parseJson(frame.data);
    if (!isObject(data)) this.#problem('the data is no JSON object');
    else if (data['type'] !== frame.event)
      this.#problem(`the event is named ${String(frame.event)}, its data ${String(data['type'])}`);
    else this.#event(String(frame.event), data);
    this.#at++;
  }

  end(): readonly string[] {
    if (this.#terminal === undefined) this.#problem('the stream ends without message_stop or error');
    return this.problems;
  }

  #problem(text: string): void {
    this.problems.push(`frame ${this.#at}: ${text}`);
  }

  #event(type: string, data: JsonObject): void {
    if (this.#terminal !== undefined) this.#problem(`${type} after ${this.#terminal}`);
    if (!this.#started && !['message_start', 'ping', 'error'].includes(type))
      this.#problem(`${type} before message_start`);
    this.#handlers[type]?.(data);
  }

  readonly #handlers: Readonly<Record<string, (data: JsonObject) => void>> = {
    message_start: (data) => this.#start(data['message']),
    content_block_start: (data) => this.#openBlock(data),
    content_block_delta: (data) => this.#delta(data),
    content_block_stop: (data) => this.#stop(data),
    message_delta: (data) => this.#deliver(data),
    message_stop: () => {
      if (!this.#delivered) this.#problem('message_stop without message_delta');
      this.#terminal = 'message_stop';
    },
    error: ({ error }) => {
      if (!isObject(error) || typeof error['type'] !== 'string' || typeof error['message'] !== 'string')
        this.#problem('error without type and message');
      this.#terminal = 'error';
    },
  };

  #start(message: unknown): void {
    if (this.#started) this.#problem('a second message_start');
    this.#started = true;
    if (!isObject(message)) return this.#problem('message_start without a message');
    const { id, role, model, content, stop_reason: reason, usage } = message;
    if (message['type'] !== 'message' || role !== 'assistant' || typeof id !== 'string' || typeof model !== 'string')
      this.#problem('message_start needs type, role, id and model');
    if (!Array.isArray(content) || content.length > 0) this.#problem('message_start must have empty content');
    if (reason !== null) this.#problem('message_start must have stop_reason null');
    if (!isObject(usage) || !isCount(usage['input_tokens']) || !isCount(usage['output_tokens']))
      this.#problem('message_start needs the counts of its usage');
    return undefined;
  }

  #openBlock({ index, content_block: block }: JsonObject): void {
    if (this.#open !== undefined)
      this.#problem(`block ${String(index)} starts while block ${String(this.#open.index)} is open`);
    if (this.#delivered) this.#problem('a block after message_delta');
    if (index !== this.#next) this.#problem(`block ${String(index)} where ${this.#next} is due`);
    this.#next++;
    const fields: JsonObject = isObject(block) ? block : {};
    this.#open = { index, type: fields['type'], json: '', signatures: 0 };
    if (fields['type'] === 'text' && fields['text'] !== '') this.#problem('a text block must start with empty text');
    if (fields['type'] === 'thinking' && (fields['thinking'] !== '' || typeof fields['signature'] !== 'string'))
      this.#problem('a thinking block must start empty, with a signature');
    if (fields['type'] === 'redacted_thinking' && typeof fields['data'] !== 'string')
      this.#problem('a redacted_thinking block needs its data');
    if (fields['type'] === 'tool_use' && (!fields['id'] || !fields['name'] || !isObject(fields['input'])))
      this.#problem('a tool_use block needs id, name and an input object');
  }

  #delta({ index, delta }: JsonObject): void {
    const open = this.#open;
    if (open === undefined || open.index !== index)
      return this.#problem(`delta of block ${String(index)}, which is not open`);
    if (!isObject(delta)) return this.#problem('content_block_delta without a delta');
    const type = String(delta['type']);
    const allowed = deltasOf[String(open.type)];
    if (allowed !== undefined && !allowed.includes(type)) this.#problem(`${type} in a ${String(open.type)} block`);
    const member = textOfDelta[type];
    const text = member === undefined ? '' : delta[member];
    if (typeof text !== 'string') this.#problem(`${type} without ${String(member)}`);
    if (type === 'thinking_delta' && open.signatures > 0) this.#problem('thinking after its signature');
    if (type === 'signature_delta' && ++open.signatures > 1)
      this.#problem('a second signature: clients assign it, they do not append');
    if (type === 'input_json_delta') open.json += String(text);
    return undefined;
  }

  #stop({ index }: JsonObject): void {
    const open = this.#open;
    if (open === undefined || open.index !== index)
      return this.#problem(`end of block ${String(index)}, which is not open`);
    if (open.json !== '' && !isObject(parseJson(open.json)))
      this.#problem(`the input of block ${String(index)} is no JSON object: ${open.json.slice(0, 80)}`);
    this.#open = undefined;
    return undefined;
  }

  #deliver({ delta, usage }: JsonObject): void {
    if (this.#open !== undefined) this.#problem(`message_delta while block ${String(this.#open.index)} is open`);
    if (this.#delivered) this.#problem('a second message_delta');
    if (!isObject(delta) || typeof delta['stop_reason'] !== 'string')
      this.#problem('message_delta without a stop_reason');
    if (!isObject(usage) || !isCount(usage['output_tokens'])) this.#problem('message_delta without output_tokens');
    this.#delivered = true;
  }
}

/**
 * Returns what is wrong with a messages stream for clients; empty if nothing is.
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
export const checkMessagesFrames = (frames: readonly Frame[]): readonly string[] => {
  const grammar = new MessagesGrammar();
  for (const frame of frames) if (frame.data !== '') grammar.see(frame);
  return grammar.end();
};
