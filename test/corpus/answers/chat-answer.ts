import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { parseArguments, readEvents, type Answer, type Reason } from './answer.ts';
import type { CorpusLine } from '../lines.ts';

type Choice = Pick<ChatCompletion.Choice, 'finish_reason'> & {
  message: Pick<ChatCompletion.Choice['message'], 'content' | 'refusal' | 'tool_calls' | 'function_call'>;
};

const usageOf = (usage: ChatCompletion['usage'] | null): Answer['usage'] =>
  usage === undefined || usage === null
    ? undefined
    : {
        input: usage.prompt_tokens,
        // Some vendors report more cached tokens than prompt tokens.
        cacheRead: Math.min(usage.prompt_tokens, usage.prompt_tokens_details?.cached_tokens ?? 0),
        output: usage.completion_tokens,
        reasoning: usage.completion_tokens_details?.reasoning_tokens,
      };

const reasons: Readonly<Record<string, Reason>> = {
  length: 'length',
  content_filter: 'content_filter',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
};

/** `stop` after calls means `tool_calls`, after a refusal a refusal. */
const reasonOf = (finish: string | null, calls: number, refused: boolean): Reason => {
  const said = reasons[finish ?? ''];
  if (said !== undefined) return said;
  if (calls > 0) return 'tool_calls';
  return refused ? 'refusal' : 'stop';
};

const finished = (
  text: string,
  refusal: string,
  calls: readonly { readonly name: string; readonly arguments: string }[],
  finish: string | null,
  usage: Answer['usage'],
): Answer => ({
  text,
  refusal,
  explanation: '',
  calls: calls.map((call) => ({ name: call.name, input: parseArguments(call.arguments) })),
  finish: finish ?? 'null',
  reason: reasonOf(finish, calls.length, refusal !== ''),
  usage,
});

const callsOf = ({
  function_call: legacy,
  tool_calls: calls,
}: Choice['message']): readonly { readonly name: string; readonly arguments: string }[] => [
  ...(legacy === undefined || legacy === null ? [] : [legacy]),
  ...(calls ?? []).map((call) =>
    call.type === 'custom'
      ? { name: call.custom.name, arguments: JSON.stringify({ input: call.custom.input }) }
      : call.function,
  ),
];

/** A chat completion, as the SDK returns it or as it was recorded. */
export const readChatCompletion = (completion: ChatCompletion): Answer => {
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('the completion has no choice');
  const { message, finish_reason: finish } = choice as Choice;
  return finished(message.content ?? '', message.refusal ?? '', callsOf(message), finish, usageOf(completion.usage));
};

type CallDelta = NonNullable<ChatCompletionChunk.Choice.Delta['tool_calls']>[number];

const addCall = (
  calls: Map<number, { name: string; arguments: string }>,
  { index, function: part }: CallDelta,
): void => {
  const call = calls.get(index) ?? { name: '', arguments: '' };
  calls.set(index, { name: call.name + (part?.name ?? ''), arguments: call.arguments + (part?.arguments ?? '') });
};

/** A recorded stream, put together. */
const readChatChunks = (chunks: readonly ChatCompletionChunk[]): Answer => {
  const calls = new Map<number, { name: string; arguments: string }>();
  let text = '';
  let legacy: { name: string; arguments: string } | undefined;
  let finish: string | null = null;
  let refusal = '';
  let usage: ChatCompletion['usage'] | null;
  for (const chunk of chunks) {
    usage = chunk.usage ?? usage;
    const choice = chunk.choices.find(({ index }) => index === 0);
    if (choice === undefined) continue;
    finish = choice.finish_reason ?? finish;
    // Azure sends choices with filter results only.
    const delta: Partial<ChatCompletionChunk.Choice.Delta> = choice.delta ?? {};
    text += delta.content ?? '';
    refusal += delta.refusal ?? '';
    for (const call of delta.tool_calls ?? []) addCall(calls, call);
    const old = delta.function_call;
    if (old !== undefined && old !== null)
      legacy = {
        name: (legacy?.name ?? '') + (old.name ?? ''),
        arguments: (legacy?.arguments ?? '') + (old.arguments ?? ''),
      };
  }
  return finished(
    text,
    refusal,
    [...(legacy === undefined ? [] : [legacy]), ...calls.values()],
    finish,
    usageOf(usage),
  );
};

export const readRecordedChat = ({ response }: CorpusLine): Answer =>
  response.sse === undefined
    ? readChatCompletion(response.body as unknown as ChatCompletion)
    : readChatChunks(readEvents(response.sse) as unknown as ChatCompletionChunk[]);
