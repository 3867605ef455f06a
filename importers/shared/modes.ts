/** The wires of embedding models. */
export const EMBEDDING = ['embeddings', 'embed-content'];

/** The wires of models that make images. */
export const IMAGES = ['image-generations', 'image-edits'];

/** The wires of models that write down speech. */
export const AUDIO = ['transcriptions', 'translations'];

/** The wires of models that speak. */
export const SPEECH = ['speech'];

/** What a model does, by its name; undefined: text generation. */
export const mediaOf = (
  model: string,
): 'embedding' | 'audio_transcription' | 'audio_speech' | 'image_generation' | undefined => {
  if (/embed/i.test(model)) return 'embedding';
  if (/(?:^|\/)whisper|-transcribe\b/.test(model)) return 'audio_transcription';
  if (/(?:^|\/)(?:dall-e|gpt-image|chatgpt-image|imagen)/.test(model)) return 'image_generation';
  return /(?:^|\/)tts(?:-|$)|-tts\b/.test(model) ? 'audio_speech' : undefined;
};
