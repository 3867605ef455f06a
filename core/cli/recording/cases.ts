import { readFile } from 'node:fs/promises';
import type { RequestOf } from '../../contracts/codec-context.ts';
import type { GenerateRequest, Turn } from '../../canonical/request.ts';
import { MIN_BYTES_PER_SECOND } from '../../canonical/operation/transcription.ts';
import type { Tool } from '../../canonical/tool.ts';
import type { Operation, WireName } from '../../canonical/wire.ts';
import { sourceOf } from '../../services/media/audio/byte-source.ts';
import { measureAudio } from '../../services/media/audio/measure.ts';
import { MisuseError } from '../command.ts';

/** A request that is recorded on every wire of its operation; a generation is recorded plain and streamed. */
export interface RecordingCase<O extends Operation = Operation> {
  readonly name: string;
  readonly operation: O;
  /** Instead of the recorded model. */
  readonly model?: string;
  /** Without what depends on the wire. */
  readonly request: Partial<RequestOf<O>>;
  /** The file of a request that is a form. */
  readonly file?: Blob;
}

/** A case of an operation. */
const define = <O extends Operation>(operation: O, name: string, request: Partial<RequestOf<O>>): RecordingCase<O> => ({
  name,
  operation,
  request,
});

/** A case of a generation. */
export const generate = (name: string, request: Partial<GenerateRequest>): RecordingCase<'generate'> =>
  define('generate', name, { tools: [], choices: 1, maxTokens: 512, includeUsage: true, ...request });

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
  generate('text', { turns: [user('Say hello in one short sentence.')] }),
  generate('unicode', { turns: [user('Repeat exactly: naïve 🙂 日本語')] }),
  generate('system', {
    turns: [
      { role: 'system', parts: [{ type: 'text', text: 'Answer in one word.' }] },
      user('What is the capital of France?'),
    ],
  }),
  generate('max-tokens', { turns: [user('Count from one to one hundred in words.')], maxTokens: 16 }),
  generate('tools', {
    turns: [user('What is the weather in Paris? Use get_weather.')],
    tools: tools.slice(0, 1),
    toolChoice: { mode: 'required' },
  }),
  generate('parallel-tools', { turns: [question], tools }),
  generate('tool-results', {
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
  }),
  generate('image', {
    turns: [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'What colour is this?' },
          { type: 'media', media: { mediaType: 'image/png', base64: PIXEL } },
        ],
      },
    ],
  }),
  generate('structured', {
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
  }),
  generate('reasoning', {
    turns: [user('What is six times seven? Think first.')],
    reasoning: { effort: 'low', show: true },
  }),
  { ...generate('unknown-model', { turns: [user('Hello')] }), model: 'no-such/model' },
  define('embed', 'one-text', { inputs: ['Grüße 😀'], encoding: 'float' }),
  define('embed', 'two-texts', { inputs: ['Hello', 'Grüße 😀'], encoding: 'float' }),
  define('moderate', 'moderate', { contents: [[{ type: 'text', text: 'I want to harm the robots.' }]] }),
  define('rerank', 'rerank', {
    query: 'ruby',
    documents: ['Ruby is a programming language', 'Paris is in France'],
  }),
  define('image', 'new-image', { prompt: 'A red circle on white', images: [], count: 1 }),
  define('speak', 'speak', { text: 'One two three four five.', voice: 'alloy', format: 'wav' }),
];

/**
 * What is said in a file is written down, in its own language and in English.
 * @throws MisuseError for a file that cannot be read or is not audio
 */
export async function readSpeechCases(path: string): Promise<readonly RecordingCase[]> {
  const bytes = await readFile(path).catch((thrown: unknown) => {
    throw new MisuseError(`${path} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}.`);
  });
  const { type, seconds = bytes.length / MIN_BYTES_PER_SECOND } = (await measureAudio(sourceOf(bytes))) ?? {};
  if (type === undefined) throw new MisuseError(`${path} is not an audio file. Name one with speech.`);
  const media = { mediaType: type, base64: bytes.toString('base64') };
  const request = { audio: { bytes: bytes.length, seconds, media }, format: 'json' };
  const file = new Blob([bytes], { type });
  return [
    { ...define('transcribe', 'transcribe', request), file },
    { ...define('translate', 'translate', request), file },
  ];
}

/** The case as a complete canonical request. */
export const completeCase = <O extends Operation>(
  { request }: RecordingCase<O>,
  wire: WireName,
  stream: boolean,
): RequestOf<O> => ({ ...request, wire, stream, extra: { wire, members: {} } }) as RequestOf<O>;
