/** The wire of `POST /v1/audio/transcriptions`: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const TRANSCRIPTIONS = 'transcriptions';
/** The wire of `POST /v1/audio/translations`: https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const TRANSLATIONS = 'translations';

/** The forms of a text that are no JSON. Vendors write all of them as plain text. */
export const textFormats: readonly string[] = ['text', 'srt', 'vtt'];
export const PLAIN_TEXT = 'text/plain; charset=utf-8';
