import {
  GatewayError,
  type JsonObject,
  type TranscribeRequest,
  type TranscribeResponse,
} from '../../../core/api/index.ts';
import {
  defineCodec,
  omitUndefined,
  readText,
  writeExtraMembers,
  type Lose,
  type ReadContext,
  type TargetProfile,
} from '../../../core/api/codec.ts';
import { WIRE } from '../generate-content/shape.ts';
import { decodeError } from '../generate-content/upstream/response/error.ts';
import { decodeResponse as decodeGenerated } from '../generate-content/upstream/response/response.ts';
import { usageMembers } from '../generate-content/usage.ts';

const TASKS = {
  transcribe: 'Transcribe the provided audio and respond with only the transcript text.',
  translate: 'Translate the speech in the provided audio to English and respond with only the translated text.',
} as const;
type Task = keyof typeof TASKS;

/** The model writes a text, without the time at which each word is spoken. @throws GatewayError */
const checkFormat = (format: string | undefined, model: string): void => {
  if (format === undefined || format === 'json' || format === 'text') return;
  throw new GatewayError(
    'unsupported_parameter',
    `${model} does not write '${format}'. Set 'response_format' to json or text, or choose another model.`,
    { param: 'response_format' },
  );
};

const isGiven = (value: unknown): boolean => readText(value).trim() !== '';

const writeTask = (task: Task, members: Readonly<JsonObject>, lose: Lose): string => {
  const { language, prompt } = members;
  if (isGiven(language)) lose('language', 'approximated', 'Google reads it as a part of the instruction');
  if (isGiven(prompt)) lose('prompt', 'approximated', 'Google reads it as a part of the instruction');
  return [
    TASKS[task],
    ...(isGiven(language) ? [`The language of the audio is ${readText(language)}.`] : []),
    ...(isGiven(prompt) ? [`Context: ${readText(prompt)}`] : []),
  ].join(' ');
};

const readTemperature = (value: unknown): number | undefined => {
  const temperature = isGiven(value) ? Number(value) : Number.NaN;
  return Number.isFinite(temperature) ? temperature : undefined;
};

const createEncode =
  (task: Task) =>
  (request: TranscribeRequest, { model }: TargetProfile, lose: Lose) => {
    const { audio, format, stream: _stream, extra } = request;
    checkFormat(format, model);
    const { language, prompt, temperature, ...members } = extra.members;
    const { media } = audio;
    const data = media === undefined ? [] : [{ inlineData: { mimeType: media.mediaType, data: media.base64 } }];
    return {
      body: {
        contents: [{ role: 'user', parts: [{ text: writeTask(task, { language, prompt }, lose) }, ...data] }],
        generationConfig: omitUndefined({
          responseMimeType: 'text/plain',
          temperature: readTemperature(temperature),
        }),
        ...writeExtraMembers({ ...extra, members }, WIRE, lose),
      },
      headers: {},
    };
  };

/** @throws GatewayError the error inside a 200, `content_filter`, or `upstream_bad_response` without a text */
const decodeResponse = (body: unknown, context: ReadContext): TranscribeResponse => {
  const { choices, usage } = decodeGenerated(body, context);
  const [choice] = choices;
  const texts = (choice?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const reason = choice?.finish.reason;
  if (reason === 'refusal' || reason === 'content_filter')
    throw new GatewayError('content_filter', 'The provider refused to write the speech down.', { param: 'file' });
  if (texts.length === 0 && reason !== 'stop')
    throw new GatewayError('upstream_bad_response', 'The response of the provider has no text.');
  return omitUndefined({ text: texts.join('').trim(), usage });
};

const upstream = { limits: {}, usageMembers, decodeResponse, decodeError } as const;

/** Speech to text of Gemini models by `:generateContent`: https://ai.google.dev/gemini-api/docs/audio */
export const geminiTranscribeCodec = defineCodec<'transcribe'>({
  operation: 'transcribe',
  wire: WIRE,
  upstream: { ...upstream, encodeRequest: createEncode('transcribe') },
});

/** The same, in English. */
export const geminiTranslateCodec = defineCodec<'translate'>({
  operation: 'translate',
  wire: WIRE,
  upstream: { ...upstream, encodeRequest: createEncode('translate') },
});
