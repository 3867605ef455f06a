import { GoogleGenAI, type Content, type GenerateContentResponse } from '@google/genai';
import { KEY } from '../support/gateway.ts';
import { paramsOf } from '../matrix/clients/client-google.ts';
import type { Json } from '../matrix/wires.ts';
import { geminiHeaders } from './gemini-cli.ts';

export interface GeminiAnswer {
  readonly chunks: readonly GenerateContentResponse[];
  /** One per chunk. */
  readonly contents: readonly Content[];
}

export const createGeminiCli = (url: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: url, headers: geminiHeaders, timeout: 20_000 } });

/** One turn with Google's SDK. @throws where this agent retries: an end without a reason, or without text and calls */
export const runGemini = async (url: string, request: Json): Promise<GeminiAnswer> => {
  const chunks = await Array.fromAsync(await createGeminiCli(url).models.generateContentStream(paramsOf(request)));
  const contents = chunks.flatMap(({ candidates }) => candidates?.[0]?.content ?? []);
  const parts = contents.flatMap((content) => content.parts ?? []);
  const ended = chunks.some(({ candidates }) => candidates?.[0]?.finishReason !== undefined);
  if (
    !ended ||
    !parts.some(
      ({ text = '', functionCall, thought }) => functionCall !== undefined || (text !== '' && thought !== true),
    )
  )
    throw new Error('an invalid stream');
  return { chunks, contents };
};
