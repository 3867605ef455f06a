import { GatewayError, type SpeakRequest, type SpeakResponse } from '../../../core/api/index.ts';
import {
  defineCodec,
  omitUndefined,
  type Lose,
  type ReadContext,
  type TargetProfile,
  writeExtraMembers,
} from '../../../core/api/codec.ts';
import { WIRE } from '../generate-content/shape.ts';
import { decodeError } from '../generate-content/upstream/response/error.ts';
import { decodeResponse as decodeGenerated } from '../generate-content/upstream/response/response.ts';
import { usageMembers } from '../generate-content/usage.ts';

/** https://ai.google.dev/gemini-api/docs/speech-generation#voices */
const voices =
  `Zephyr Puck Charon Kore Fenrir Leda Orus Aoede Callirrhoe Autonoe Enceladus Iapetus Umbriel Algieba Despina
  Erinome Algenib Rasalgethi Laomedeia Achernar Alnilam Schedar Gacrux Pulcherrima Achird Zubenelgenubi
  Vindemiatrix Sadachbia Sadaltager Sulafat`.split(/\s+/);
const byLowerCase: ReadonlyMap<string, string> = new Map(voices.map((voice) => [voice.toLowerCase(), voice]));

/**
 * A voice of Google, in any case of its letters. Which of them is like a voice of another vendor, no vendor says.
 * @throws GatewayError `unsupported_parameter`
 */
function findVoice(name: string, model: string): string {
  const voice = byLowerCase.get(name.toLowerCase());
  if (voice !== undefined) return voice;
  throw new GatewayError('unsupported_parameter', `${model} has no voice '${name}'. It has ${voices.join(', ')}.`, {
    param: 'voice',
  });
}

/** The model writes samples of 16 bits at 24 kHz: https://ai.google.dev/gemini-api/docs/speech-generation */
const formats: ReadonlySet<string> = new Set(['wav', 'pcm']);

/** @throws GatewayError `unsupported_parameter` */
const checkFormat = (format: string | undefined, model: string, lose: Lose): void => {
  if (format === undefined)
    lose('response_format', 'approximated', 'the model does not write mp3, the usual format: the audio is wav');
  else if (!formats.has(format))
    throw new GatewayError(
      'unsupported_parameter',
      `${model} does not write '${format}'. Set 'response_format' to wav or pcm, or choose another model.`,
      { param: 'response_format' },
    );
};

/** Instructions are a part of the text: https://ai.google.dev/gemini-api/docs/speech-generation#controllable */
const writeText = ({ text, instructions }: SpeakRequest, lose: Lose): string => {
  if (instructions === undefined || instructions.trim() === '') return text;
  lose('instructions', 'approximated', 'Google reads them before the text, and can speak them');
  return `${instructions}:\n${text}`;
};

/** @throws GatewayError `unsupported_parameter` that names the member */
const encodeRequest = (request: SpeakRequest, { model }: TargetProfile, lose: Lose) => {
  const { voice, format, speed, stream: _stream, extra } = request;
  checkFormat(format, model, lose);
  if (speed !== undefined && speed !== 1) lose('speed', 'dropped', 'Google has no such member');
  const text = writeText(request, lose);
  const speechConfig =
    voice === undefined ? undefined : { voiceConfig: { prebuiltVoiceConfig: { voiceName: findVoice(voice, model) } } };
  return {
    body: {
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: omitUndefined({ responseModalities: ['AUDIO'], speechConfig }),
      ...writeExtraMembers(extra, WIRE, lose),
    },
    headers: {},
  };
};

/** @throws GatewayError the error inside a 200, `content_filter`, or `upstream_bad_response` without audio */
const decodeResponse = (body: unknown, context: ReadContext): SpeakResponse => {
  const { model, choices, usage } = decodeGenerated(body, context);
  const [choice] = choices;
  const media = (choice?.parts ?? []).flatMap((part) =>
    part.type === 'media' && 'base64' in part.media ? [part.media] : [],
  );
  const [first] = media;
  if (first !== undefined) {
    const audio = Buffer.concat(media.map(({ base64 }) => Buffer.from(base64, 'base64')));
    return omitUndefined({ audio, mediaType: first.mediaType, model, usage });
  }
  const reason = choice?.finish.reason;
  if (reason === 'refusal' || reason === 'content_filter')
    throw new GatewayError('content_filter', 'The provider refused to speak the text.', { param: 'input' });
  throw new GatewayError('upstream_bad_response', 'The response of the provider has no audio.');
};

/**
 * Speech of Gemini models, which `:generateContent` returns as a part, for upstreams only:
 * https://ai.google.dev/gemini-api/docs/speech-generation
 */
export const geminiSpeechCodec = defineCodec<'speak'>({
  operation: 'speak',
  wire: WIRE,
  upstream: { limits: {}, usageMembers, encodeRequest, decodeResponse, decodeError },
});
