import {
  GoogleGenAI,
  type Candidate,
  type Content,
  type GenerateContentParameters,
  type GenerateContentResponse,
  type Part,
} from '@google/genai';
import { KEY } from '../../support/gateway.ts';
import type { Answer, Token } from '../answer.ts';
import type { Json, Mode } from '../wires.ts';

export const createGoogleClient = (url: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: url, timeout: 20_000 } });

/** The SDK has all members except the contents in one `config`, and sorts them into the body. */
export const paramsOf = ({ model, contents, generationConfig, ...others }: Json): GenerateContentParameters =>
  ({
    model,
    contents,
    config: { ...others, ...(generationConfig as Json | undefined) },
  }) as unknown as GenerateContentParameters;

const readUsage = (usage: GenerateContentResponse['usageMetadata']): Json => ({
  prompt: usage?.promptTokenCount,
  candidates: usage?.candidatesTokenCount,
  total: usage?.totalTokenCount,
  cached: usage?.cachedContentTokenCount,
  thoughts: usage?.thoughtsTokenCount,
});

const textOf = (parts: readonly Part[], thought: boolean): string =>
  parts
    .filter((part) => (part.thought ?? false) === thought)
    .map(({ text }) => text ?? '')
    .join('');

const readLogprobs = ({ logprobsResult: result }: Candidate): readonly Token[] =>
  (result?.chosenCandidates ?? []).map(({ token = '', logProbability: logprob = 0 }, index) => ({
    token,
    logprob,
    top: (result?.topCandidates?.[index]?.candidates ?? []).map(
      (other) => [other.token ?? '', other.logProbability ?? 0] as const,
    ),
  }));

/**
 * Reads the chunks of a stream, or the plain response. Each content is returned unchanged, as by the SDK's chat helper.
 */
const readChunks = (chunks: readonly GenerateContentResponse[]): Answer => {
  const candidates = chunks.flatMap((chunk) => chunk.candidates?.slice(0, 1) ?? []);
  const contents = candidates.flatMap(({ content }): readonly Content[] => (content === undefined ? [] : [content]));
  const parts = contents.flatMap((content) => content.parts ?? []);
  const last = candidates.findLast(({ finishReason }) => finishReason !== undefined);
  const block = chunks.find(({ promptFeedback }) => promptFeedback !== undefined)?.promptFeedback;
  return {
    text: textOf(parts, false),
    reasoning: textOf(parts, true),
    refusal: last?.finishMessage ?? block?.blockReasonMessage,
    calls: parts.flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [{ id: call.id ?? '', name: call.name ?? '', input: call.args }],
    ),
    logprobs: candidates.flatMap(readLogprobs),
    finish: last?.finishReason ?? block?.blockReason ?? null,
    usage: readUsage(chunks.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.usageMetadata),
    turn: contents.map((content) => ({ ...content })),
  };
};

/** Makes one call with the unmodified Google SDK. */
export const sendGoogle = async (url: string, body: Json, mode: Mode): Promise<Answer> => {
  const { models } = createGoogleClient(url);
  if (mode === 'plain') return readChunks([await models.generateContent(paramsOf(body))]);
  return readChunks(await Array.fromAsync(await models.generateContentStream(paramsOf(body))));
};
