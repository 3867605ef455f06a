import type { EndpointWire } from '../../core/api/index.ts';
import type { AnyCodec, Classify } from '../../core/api/codec.ts';
import { geminiImagesCodec } from './images/gemini.ts';
import { imagenCodec } from './images/imagen.ts';
import { geminiSpeechCodec } from './speech/gemini.ts';
import { geminiTranscribeCodec, geminiTranslateCodec } from './transcription/gemini.ts';

const GENERATE = ':generateContent';
/** A body has at most 20 MB, as base64 and with the rest: https://ai.google.dev/gemini-api/docs/audio */
const MAX_AUDIO_BYTES = 14 * 1_024 * 1_024;

/** Whether a model is one of Imagen, which has only `:predict`. */
export const isImagen = (model: string): boolean => /(?:^|\/)imagen/.test(model);
const makesImages = (model: string): boolean => /-image\b/.test(model);
const speaks = (model: string): boolean => /-tts\b/.test(model);
const readsAudio = (model: string): boolean =>
  /\bgemini-(?!embedding)/.test(model) && !/-(?:tts|image|live|embedding)\b/.test(model);

/** The wires on which a model of Google makes images, speaks, and writes speech down; none for what it cannot do. */
export function listMediaWires(
  model: string,
  addressOf: (method: string) => EndpointWire['buildRequest'],
  classify: Classify,
): readonly EndpointWire[] {
  const wireOf = ({ operation, wire }: AnyCodec, method = GENERATE): EndpointWire => ({
    operation,
    wire,
    buildRequest: addressOf(method),
    classify,
  });
  if (isImagen(model)) return [wireOf(imagenCodec, ':predict')];
  const transcribing = readsAudio(model) ? [geminiTranscribeCodec, geminiTranslateCodec] : [];
  return [
    ...(makesImages(model) ? [wireOf(geminiImagesCodec)] : []),
    ...(speaks(model) ? [wireOf(geminiSpeechCodec)] : []),
    ...transcribing.map((codec) => ({ ...wireOf(codec), maxAudioBytes: MAX_AUDIO_BYTES })),
  ];
}
