import OpenAI from 'openai';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import { KEY } from '../../support/gateway.ts';
import type { Answer } from '../answer.ts';
import type { Json, Mode } from '../wires.ts';

export const createChatClient = (url: string): OpenAI =>
  new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0, timeout: 20_000 });

/** Members of a message that OpenAI's types do not have, but clients of other vendors read. */
interface Reasoned {
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly Json[];
}

const readUsage = (usage: ChatCompletion['usage']): Json => {
  const input = usage?.prompt_tokens_details as Json | undefined;
  return {
    prompt: usage?.prompt_tokens,
    completion: usage?.completion_tokens,
    total: usage?.total_tokens,
    cached: input?.['cached_tokens'],
    written: input?.['cache_write_tokens'],
    reasoning: usage?.completion_tokens_details?.reasoning_tokens,
  };
};

const readCompletion = (completion: ChatCompletion, reasoned: Reasoned): Answer => {
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('the completion has no choices');
  const { message } = choice;
  const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []));
  return {
    text: message.content ?? '',
    reasoning: reasoned.reasoning_content ?? '',
    refusal: message.refusal ?? undefined,
    calls: calls.map(({ id, function: { name, arguments: text } }) => ({
      id,
      name,
      input: JSON.parse(text) as unknown,
    })),
    logprobs: (choice.logprobs?.content ?? []).map(({ token, logprob, top_logprobs: top }) => ({
      token,
      logprob,
      top: top.map((other) => [other.token, other.logprob] as const),
    })),
    finish: choice.finish_reason,
    usage: readUsage(completion.usage),
    turn: [
      {
        role: 'assistant',
        content: message.content,
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ function: { name, arguments: input }, ...call }) => ({
                ...call,
                function: { name, arguments: input },
              })),
            }),
        ...(reasoned.reasoning_details === undefined ? {} : { reasoning_details: reasoned.reasoning_details }),
      },
    ],
  };
};

/** Merges streamed details as clients of this dialect do: by index, text appended, the proof assigned. */
const joinDetails = (details: readonly Json[]): readonly Json[] => {
  const joined = new Map<unknown, Json>();
  for (const detail of details) {
    const earlier = joined.get(detail['index']);
    const text =
      detail['text'] === undefined ? {} : { text: `${String(earlier?.['text'] ?? '')}${String(detail['text'])}` };
    joined.set(detail['index'], { ...earlier, ...detail, ...text });
  }
  return [...joined.values()];
};

const joinReasoning = (chunks: readonly ChatCompletionChunk[]): Reasoned => {
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta as Reasoned));
  const details = joinDetails(deltas.flatMap(({ reasoning_details: found }) => found ?? []));
  return {
    reasoning_content: deltas.map((delta) => delta.reasoning_content ?? '').join(''),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  };
};

/** Makes one call with the unmodified OpenAI SDK; streamed ones with its `stream()` helper, its strictest reader. */
export const sendChat = async (url: string, body: Json, mode: Mode): Promise<Answer> => {
  const client = createChatClient(url);
  const params = body as unknown as ChatCompletionCreateParamsNonStreaming;
  if (mode === 'plain') {
    const completion = await client.chat.completions.create(params);
    return readCompletion(completion, (completion.choices[0]?.message ?? {}) as Reasoned);
  }
  const chunks: ChatCompletionChunk[] = [];
  const stream = client.chat.completions
    .stream({ ...params, stream: true, stream_options: { include_usage: true } })
    .on('chunk', (chunk) => chunks.push(chunk));
  const completion = await stream.finalChatCompletion();
  return readCompletion(completion, joinReasoning(chunks));
};
