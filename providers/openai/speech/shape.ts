/** The wire of `POST /v1/audio/speech`: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const WIRE = 'speech';

/** The format of a request that names none. */
const USUAL = 'mp3';
const types: ReadonlyMap<string, string> = new Map([
  [USUAL, 'audio/mpeg'],
  ['opus', 'audio/ogg'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['wav', 'audio/wav'],
  ['pcm', 'audio/pcm'],
]);

/** The content type of a format, for vendors that name none. */
export const typeOfFormat = (format = USUAL): string => types.get(format) ?? 'application/octet-stream';
