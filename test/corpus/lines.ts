import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readNextLines, type NextLine } from '../core/testing/next-corpus.ts';

/** The recordings are beside the project, not in it. */
export const corpusFolder = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));
export const hasCorpus = (): boolean => existsSync(corpusFolder);

export type Json = Record<string, unknown>;

export interface CorpusLine {
  readonly id: string;
  readonly provider: string;
  readonly style: string;
  readonly model: string | null;
  readonly stream: boolean;
  /** A response without a recorded request has no body here. */
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Json | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
    readonly sse?: string;
    readonly ndjson?: string;
  };
}

/** Recordings of wires that have come later are in another folder and format. */
export const laterFiles: readonly string[] = ['interactions.jsonl'];

export const readLines = (file: string): readonly CorpusLine[] =>
  laterFiles.includes(file)
    ? readNextLines(file).map(fromNext)
    : readFileSync(join(corpusFolder, file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => asEvents(JSON.parse(line) as CorpusLine));

/** A stream is the text of the body there. A response without its request has the model that it names. */
const fromNext = ({ id, vendor, stream, request, response: { body, ...response } }: NextLine): CorpusLine => ({
  id,
  provider: vendor,
  style: 'interactions',
  model: /"model":\s?"([^"]+)"/.exec(typeof body === 'string' ? body : JSON.stringify(body))?.[1] ?? null,
  stream,
  request: {
    method: 'POST',
    path: request?.path ?? '/v1beta/interactions',
    headers: request?.headers ?? {},
    body: (request?.body as Json | undefined) ?? null,
  },
  response: { ...response, ...(typeof body === 'string' ? { sse: body } : { body: body as Json }) },
});

/** Google's streams without alt=sse are arrays. The gateway requests SSE, so the recording is converted. */
const asEvents = (line: CorpusLine): CorpusLine => {
  const { body, ...response } = line.response;
  return Array.isArray(body)
    ? {
        ...line,
        response: { ...response, sse: body.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('') },
      }
    : line;
};

/** As the request names it, or as the recording does. */
export const modelOf = ({ request, model, provider }: CorpusLine): string => {
  const named = request.body?.['model'];
  return typeof named === 'string'
    ? named
    : (/\/(?:models|deployments)\/([^/:]+)[:/]/.exec(request.path)?.[1] ?? model ?? `model-of-${provider}`);
};

/** The recorded body as the vendor would send it. */
export const responseText = ({ response }: CorpusLine): string =>
  response.sse ?? response.ndjson ?? JSON.stringify(response.body);

/** The files of each wire, without `.jsonl`: of its vendor, and of compatible servers, which the same codec reads. */
export const filesOfWire = {
  chat: [
    'openai-chat',
    'openai-chat-stream',
    'compat-chat',
    'compat-chat-stream',
    'deepseek-chat',
    'deepseek-chat-stream',
    'groq-chat',
    'groq-chat-stream',
    'mistral-chat',
    'mistral-chat-stream',
    'openrouter-chat',
    'openrouter-chat-stream',
    'xai-chat',
    'xai-chat-stream',
  ],
  responses: ['openai-responses', 'openai-responses-stream', 'compat-responses', 'compat-responses-stream'],
  messages: ['anthropic-messages', 'anthropic-messages-stream'],
  google: ['gemini-generate', 'gemini-stream'],
  interactions: ['interactions'],
} as const;
