/** The wires of embedding models. */
export const EMBEDDING = ['embeddings', 'embed-content'];

export const NO_ROUTE =
  'This gateway serves text generation and embeddings, but not images, speech, transcription or ranking. ' +
  'Clients must call the vendor for those.';

/** What a model does, by its name; undefined: text generation. */
export const mediaOf = (model: string): 'embedding' | 'media' | undefined =>
  /embed/i.test(model) ? 'embedding' : /(?:^|\/)(?:dall-e|gpt-image|whisper|tts-)/.test(model) ? 'media' : undefined;
