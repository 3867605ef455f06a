import type { FunctionCall, GenerateContentResponse } from '@google/genai';
import { readEvents, type Answer, type Reason } from './answer.ts';
import type { CorpusLine } from '../lines.ts';
import { addPartialArgument } from './partial-arguments.ts';

type Chunk = Pick<GenerateContentResponse, 'candidates' | 'usageMetadata' | 'promptFeedback'>;

/** Some responses of Vertex AI have the number of the enum value. */
const numbered = ['', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER'];
const reasons: Readonly<Record<string, Reason>> = {
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  MODEL_ARMOR: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
};

const usageOf = (usage: Chunk['usageMetadata']): Answer['usage'] => {
  if (usage?.promptTokenCount === undefined) return undefined;
  const reasoning = usage.thoughtsTokenCount ?? 0;
  return {
    input: usage.promptTokenCount + (usage.toolUsePromptTokenCount ?? 0),
    cacheRead: usage.cachedContentTokenCount ?? 0,
    output: (usage.candidatesTokenCount ?? 0) + reasoning,
    reasoning,
  };
};

/** A call in pieces continues until a piece without `willContinue`; only the first piece has the name. */
const addCall = (
  calls: { readonly name: string; readonly input: object }[],
  { name, args, partialArgs }: FunctionCall,
): void => {
  if (name !== undefined) calls.push({ name, input: args ?? {} });
  const open = calls.at(-1);
  if (open !== undefined) for (const piece of partialArgs ?? []) addPartialArgument(open.input, piece);
};

/** The chunks of a response, as the SDK returns them or as they were recorded. A plain response is one chunk. */
export const readGoogleChunks = (chunks: readonly Chunk[]): Answer => {
  const calls: { readonly name: string; readonly input: object }[] = [];
  let [text, reasoning, explanation, finish] = ['', '', '', ''];
  let usage: Chunk['usageMetadata'];
  for (const { candidates, usageMetadata, promptFeedback } of chunks) {
    usage = usageMetadata ?? usage;
    if (promptFeedback?.blockReason !== undefined)
      [finish, explanation] = ['SAFETY', promptFeedback.blockReasonMessage ?? ''];
    const first = candidates?.find(({ index = 0 }) => index === 0);
    for (const part of first?.content?.parts ?? []) {
      if (part.thought === true) reasoning += part.text ?? '';
      else text += part.text ?? '';
      if (part.functionCall !== undefined) addCall(calls, part.functionCall);
    }
    const word: unknown = first?.finishReason;
    if (word !== undefined) finish = typeof word === 'number' ? (numbered[word] ?? 'OTHER') : String(word);
    explanation = first?.finishMessage ?? explanation;
  }
  return {
    text,
    refusal: '',
    explanation,
    reasoning,
    calls,
    finish,
    reason: reasons[finish] ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usageOf(usage),
  };
};

export const readRecordedGoogle = ({ response: { sse, body } }: CorpusLine): Answer =>
  readGoogleChunks((sse === undefined ? [body] : readEvents(sse)) as readonly Chunk[]);
