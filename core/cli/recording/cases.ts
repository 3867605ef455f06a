import type { EmbedRequest } from '../../canonical/operation/embedding.ts';
import type { ModerateRequest } from '../../canonical/operation/moderation.ts';
import type { GenerateRequest, Turn } from '../../canonical/request.ts';
import type { Tool } from '../../canonical/tool.ts';
import type { Operation, WireName } from '../../canonical/wire.ts';

/** A generation request worth recording on every wire, plain and streamed. */
export interface GenerateCase {
  readonly name: string;
  /** Instead of the recorded model. */
  readonly model?: string;
  readonly request: Partial<GenerateRequest>;
}
/** An embedding request. */
export interface EmbedCase {
  readonly name: string;
  readonly inputs: readonly string[];
}
/** A request to moderate. */
export interface ModerateCase {
  readonly name: string;
  readonly contents: ModerateRequest['contents'];
}
/** A request to rerank. */
export interface RerankCase {
  readonly name: string;
  readonly query: string;
  readonly documents: readonly string[];
}
/** A request for an image. */
export interface ImageCase {
  readonly name: string;
  readonly prompt: string;
}
export type RecordingCase = GenerateCase | EmbedCase | ModerateCase | RerankCase | ImageCase;

/** The operation of the wires on which a case is recorded. */
export const operationOf = (recordingCase: RecordingCase): Operation =>
  'inputs' in recordingCase
    ? 'embed'
    : 'contents' in recordingCase
      ? 'moderate'
      : 'documents' in recordingCase
        ? 'rerank'
        : 'prompt' in recordingCase
          ? 'image'
          : 'generate';

const user = (...texts: readonly string[]): Turn => ({
  role: 'user',
  parts: texts.map((text) => ({ type: 'text', text })),
});

const city = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Name of the city' } },
  required: ['city'],
  additionalProperties: false,
};
const tools: readonly Tool[] = [
  { name: 'get_weather', kind: 'function', description: 'The weather of a city', schema: city },
  { name: 'get_time', kind: 'function', description: 'The local time of a city', schema: city },
];
const question = user('Call all tools for Paris: get_weather and get_time.');

/** A red pixel, as small as PNG gets. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

export const recordingCases: readonly RecordingCase[] = [
  { name: 'text', request: { turns: [user('Say hello in one short sentence.')] } },
  { name: 'unicode', request: { turns: [user('Repeat exactly: naïve 🙂 日本語')] } },
  {
    name: 'system',
    request: {
      turns: [
        { role: 'system', parts: [{ type: 'text', text: 'Answer in one word.' }] },
        user('What is the capital of France?'),
      ],
    },
  },
  { name: 'max-tokens', request: { turns: [user('Count from one to one hundred in words.')], maxTokens: 16 } },
  {
    name: 'tools',
    request: {
      turns: [user('What is the weather in Paris? Use get_weather.')],
      tools: tools.slice(0, 1),
      toolChoice: { mode: 'required' },
    },
  },
  { name: 'parallel-tools', request: { turns: [question], tools } },
  {
    name: 'tool-results',
    request: {
      tools,
      turns: [
        question,
        {
          role: 'assistant',
          parts: [
            { type: 'tool-call', id: 'call_1', name: 'get_weather', kind: 'function', input: '{"city":"Paris"}' },
            { type: 'tool-call', id: 'call_2', name: 'get_time', kind: 'function', input: '{"city":"Paris"}' },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'tool-result', id: 'call_1', failed: false, parts: [{ type: 'text', text: '18C and sunny' }] },
            { type: 'tool-result', id: 'call_2', failed: true, parts: [{ type: 'text', text: 'the clock is broken' }] },
          ],
        },
      ],
    },
  },
  {
    name: 'image',
    request: {
      turns: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'What colour is this?' },
            { type: 'media', media: { mediaType: 'image/png', base64: PIXEL } },
          ],
        },
      ],
    },
  },
  {
    name: 'structured',
    request: {
      turns: [user('Invent a person.')],
      output: {
        type: 'schema',
        name: 'person',
        schema: {
          type: 'object',
          properties: { name: { type: 'string' }, age: { type: 'integer' } },
          required: ['name', 'age'],
          additionalProperties: false,
        },
        strict: true,
      },
    },
  },
  {
    name: 'reasoning',
    request: { turns: [user('What is six times seven? Think first.')], reasoning: { effort: 'low', show: true } },
  },
  { name: 'unknown-model', model: 'no-such/model', request: { turns: [user('Hello')] } },
  { name: 'one-text', inputs: ['Grüße 😀'] },
  { name: 'two-texts', inputs: ['Hello', 'Grüße 😀'] },
  { name: 'moderate', contents: [[{ type: 'text', text: 'I want to harm the robots.' }]] },
  { name: 'rerank', query: 'ruby', documents: ['Ruby is a programming language', 'Paris is in France'] },
  { name: 'image', prompt: 'A red circle on white' },
];

export const completeEmbedCase = ({ inputs }: EmbedCase, wire: WireName): EmbedRequest => ({
  inputs,
  encoding: 'float',
  extra: { wire, members: {} },
});

/** The case as a complete canonical request. */
export const completeCase = ({ request }: GenerateCase, wire: WireName, stream: boolean): GenerateRequest => ({
  wire,
  turns: [],
  tools: [],
  choices: 1,
  maxTokens: 512,
  includeUsage: true,
  extra: { wire, members: {} },
  ...request,
  stream,
});
