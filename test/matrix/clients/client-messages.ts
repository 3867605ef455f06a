import Anthropic from '@anthropic-ai/sdk';
import type { Message, MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import { KEY } from '../../support/gateway.ts';
import type { Answer } from '../answer.ts';
import type { Json, Mode } from '../wires.ts';

/** With an explicit timeout: otherwise the SDK rejects plain calls whose max_tokens could take ten minutes. */
export const createMessagesClient = (url: string): Anthropic =>
  new Anthropic({ apiKey: KEY, baseURL: url, maxRetries: 0, timeout: 20_000 });

const readUsage = ({ usage }: Message): Json => ({
  input: usage.input_tokens,
  written: usage.cache_creation_input_tokens,
  read: usage.cache_read_input_tokens,
  output: usage.output_tokens,
  thinking: usage.output_tokens_details?.thinking_tokens,
});

const readMessage = (message: Message): Answer => {
  const { content } = message;
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return {
    text,
    reasoning: content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join(''),
    refusal: message.stop_reason === 'refusal' ? (message.stop_details?.explanation ?? undefined) : undefined,
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    finish: message.stop_reason,
    sequence: message.stop_sequence,
    usage: readUsage(message),
    turn: [{ role: 'assistant', content }],
  };
};

/** Makes one call with the unmodified Anthropic SDK; streamed ones with its `stream()` helper. */
export const sendMessages = async (url: string, body: Json, mode: Mode): Promise<Answer> => {
  const client = createMessagesClient(url);
  const params = body as unknown as MessageCreateParamsNonStreaming;
  return readMessage(
    mode === 'plain' ? await client.messages.create(params) : await client.messages.stream(params).finalMessage(),
  );
};
