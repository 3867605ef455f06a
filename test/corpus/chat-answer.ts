import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { parseArguments, readEvents, type Answer } from './answer.ts';
import type { CorpusLine } from './lines.ts';

type Choice = Pick<ChatCompletion.Choice, 'finish_reason'> & { message: Pick<ChatCompletion.Choice['message'], 'content' | 'refusal' | 'tool_calls' | 'function_call'> };

const usageOf = (usage: ChatCompletion['usage'] | null): Answer['usage'] =>
  usage === undefined || usage === null
    ? undefined
    : { input: usage.prompt_tokens, cacheRead: usage.prompt_tokens_details?.cached_tokens ?? 0, output: usage.completion_tokens };

const describeChoice = ({ message, finish_reason }: Choice, usage: ChatCompletion['usage'] | null): Answer => ({
  text: (message.content ?? '') + (message.refusal ?? ''),
  calls: [
    ...(message.function_call === undefined || message.function_call === null ? [] : [message.function_call]),
    ...(message.tool_calls ?? []).map((call) => (call.type === 'function' ? call.function : { name: call.custom.name, arguments: JSON.stringify({ input: call.custom.input }) })),
  ].map(({ name, arguments: text }) => ({ name, input: parseArguments(text) })),
  finish: finish_reason,
  refused: (message.refusal ?? '') !== '',
  usage: usageOf(usage),
});

/** A chat completion, as the SDK gives it or as it was recorded. */
export const readChatCompletion = (completion: ChatCompletion): Answer => {
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('the completion has no choice');
  return describeChoice(choice, completion.usage);
};

type CallDelta = NonNullable<ChatCompletionChunk.Choice.Delta['tool_calls']>[number];

const addCall = (calls: Map<number, { name: string; arguments: string }>, { index, function: part }: CallDelta): void => {
  const call = calls.get(index) ?? { name: '', arguments: '' };
  calls.set(index, { name: call.name + (part?.name ?? ''), arguments: call.arguments + (part?.arguments ?? '') });
};

/** A recorded stream, put together. */
const readChatChunks = (chunks: readonly ChatCompletionChunk[]): Answer => {
  const calls = new Map<number, { name: string; arguments: string }>();
  let text = '';
  let legacy: { name: string; arguments: string } | undefined;
  let finish: string | null = null;
  let refused = false;
  let usage: ChatCompletion['usage'] | null;
  for (const chunk of chunks) {
    usage = chunk.usage ?? usage;
    const choice = chunk.choices.find(({ index }) => index === 0);
    if (choice === undefined) continue;
    text += (choice.delta.content ?? '') + (choice.delta.refusal ?? '');
    finish = choice.finish_reason ?? finish;
    refused ||= (choice.delta.refusal ?? '') !== '';
    for (const call of choice.delta.tool_calls ?? []) addCall(calls, call);
    const old = choice.delta.function_call;
    if (old !== undefined && old !== null) legacy = { name: (legacy?.name ?? '') + (old.name ?? ''), arguments: (legacy?.arguments ?? '') + (old.arguments ?? '') };
  }
  const all = [...(legacy === undefined ? [] : [legacy]), ...calls.values()];
  return { text, calls: all.map((call) => ({ name: call.name, input: parseArguments(call.arguments) })), finish, refused, usage: usageOf(usage) };
};

export const readRecordedChat = ({ response }: CorpusLine): Answer =>
  response.sse === undefined ? readChatCompletion(response.body as unknown as ChatCompletion) : readChatChunks(readEvents(response.sse) as unknown as ChatCompletionChunk[]);
