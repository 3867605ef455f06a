import type { ChatCompletion } from 'openai/resources/chat/completions';
import { listOf, objectOf, type Json } from '../bill/bill.ts';
import { readChatBill } from '../bill/chat-bill.ts';
import { responseText, type CorpusLine } from '../lines.ts';
import { parseArguments, readEvents, type Answer, type Reason } from './answer.ts';

/** The vendors of this wire count input and output in different places: the bill has both in parts. */
export const sumUsage = (text: string): Required<NonNullable<Answer['usage']>> | undefined => {
  const [bill] = readChatBill(text);
  if (bill === undefined) return undefined;
  const sum = (pattern: RegExp): number =>
    Object.entries(bill.counts).reduce((total, [item, count]) => total + (pattern.test(item) ? count : 0), 0);
  return {
    input: sum(/^(?:input|cache)/),
    cacheRead: sum(/^cacheRead/),
    output: sum(/^(?:output|reasoning)/),
    reasoning: sum(/^reasoning$/),
  };
};

const reasons: Readonly<Record<string, Reason>> = {
  length: 'length',
  content_filter: 'content_filter',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  error: 'error',
};

/** `stop`, and what vendors say in its place, means `tool_calls` after calls, and a refusal after one. */
const reasonOf = (finish: string, calls: number, refused: boolean): Reason => {
  const said = reasons[finish];
  if (said !== undefined) return said;
  if (calls > 0) return 'tool_calls';
  return refused ? 'refusal' : 'stop';
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Call {
  readonly name: string;
  readonly arguments: string;
  readonly isCustom: boolean;
}

/** Arguments are a text, or an object at Ollama. */
const argumentsOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value);

/** Some servers send both bodies and leave one of them empty. */
const callOf = ({ function: body, custom }: Json): Call => {
  const { name, arguments: input } = objectOf(body);
  const tool = objectOf(custom);
  const isCustom = body === undefined && custom !== undefined;
  return isCustom
    ? { name: textOf(tool['name']), arguments: textOf(tool['input']), isCustom }
    : { name: textOf(name), arguments: argumentsOf(input), isCustom };
};

const textOfBlocks = (blocks: unknown, type: string): string =>
  listOf(blocks)
    .filter((block) => block['type'] === type)
    .map((block) => textOf(block['text']))
    .join('');

/** A text, or the list of Mistral. */
const contentOf = ({ content }: Json): string =>
  Array.isArray(content) ? textOfBlocks(content, 'text') : textOf(content);

const thinkingOf = ({ content }: Json): string =>
  listOf(content)
    .map(({ thinking }) => textOf(thinking) || textOfBlocks(thinking, 'text'))
    .join('');

/** The details of OpenRouter repeat what another member has as text. */
const reasoningOf = (message: Json): string => {
  const details = listOf(message['reasoning_details']).map(({ summary, text }) => textOf(text) || textOf(summary));
  return (
    details.join('') || textOf(message['reasoning_content']) || textOf(message['reasoning']) || thinkingOf(message)
  );
};

const join = (call: Call, piece: Call): Call => ({
  ...call,
  name: call.name + piece.name,
  arguments: call.arguments + piece.arguments,
});

const inputOf = ({ arguments: input, isCustom }: Call): unknown => (isCustom ? { input } : parseArguments(input));

/** What a response holds, put together from its message or its deltas. */
class ChatContent {
  text = '';
  refusal = '';
  reasoning = '';
  finish = '';
  #legacy: Call = { name: '', arguments: '', isCustom: false };
  readonly #calls = new Map<unknown, Call>();

  add(message: Json): void {
    this.text += contentOf(message);
    this.refusal += textOf(message['refusal']);
    this.reasoning += reasoningOf(message);
    for (const call of listOf(message['tool_calls'])) this.#addCall(call);
    this.#legacy = join(this.#legacy, callOf({ function: message['function_call'] }));
  }

  /** A piece without an index is a call of its own. */
  #addCall(piece: Json): void {
    const place = piece['index'] ?? `at ${this.#calls.size}`;
    const call = callOf(piece);
    const known = this.#calls.get(place);
    this.#calls.set(place, known === undefined ? call : join(known, call));
  }

  finished(usage: Answer['usage']): Answer {
    const calls = [...(this.#legacy.name === '' ? [] : [this.#legacy]), ...this.#calls.values()];
    return {
      text: this.text,
      refusal: this.refusal,
      explanation: '',
      reasoning: this.reasoning,
      calls: calls.map((call) => ({ name: call.name, input: inputOf(call) })),
      finish: this.finish,
      reason: reasonOf(this.finish, calls.length, this.refusal !== ''),
      usage,
    };
  }
}

/** Some servers write `error: null` into each chunk. */
export const isError = (error: unknown): boolean => error !== undefined && error !== null;

/** The chunks of a response, or its whole body. A chunk with an error ends it. */
const readChat = (bodies: readonly Json[], member: 'delta' | 'message', text: string): Answer => {
  const content = new ChatContent();
  for (const { choices, error } of bodies) {
    const choice = listOf(choices).find(({ index = 0 }) => index === 0);
    if (choice !== undefined) content.add(objectOf(choice[member]));
    content.finish = textOf(choice?.['finish_reason']) || content.finish;
    if (!isError(error)) continue;
    content.finish = 'error';
    break;
  }
  return content.finished(sumUsage(text));
};

/** A chat completion, as the SDK returns it. In streams the SDK keeps the last piece of reasoning only. */
export const readChatCompletion = (completion: ChatCompletion, chunks: readonly object[] = []): Answer => {
  const { choices } = completion;
  if (choices.length === 0) throw new Error('the completion has no choice');
  const whole = readChat([objectOf(completion)], 'message', JSON.stringify(completion));
  return chunks.length === 0 ? whole : { ...whole, reasoning: readChat(chunks.map(objectOf), 'delta', '{}').reasoning };
};

export const readRecordedChat = (line: CorpusLine): Answer =>
  line.response.sse === undefined
    ? readChat([objectOf(line.response.body)], 'message', responseText(line))
    : readChat(readEvents(line.response.sse), 'delta', responseText(line));
