/** The operations of the setting `paths`, each with its wire and its path below the base address. */
export const operations = {
  chat: { wire: 'chat-completions', path: '/chat/completions' },
  completions: { wire: 'completions', path: '/completions' },
  responses: { wire: 'responses', path: '/responses' },
  compact: { wire: 'responses', path: '/responses/compact' },
  messages: { wire: 'messages', path: '/messages' },
  embeddings: { wire: 'embeddings', path: '/embeddings' },
  moderations: { wire: 'moderations', path: '/moderations' },
  rerank: { wire: 'rerank', path: '/rerank' },
  transcriptions: { wire: 'transcriptions', path: '/audio/transcriptions' },
  translations: { wire: 'translations', path: '/audio/translations' },
  speech: { wire: 'speech', path: '/audio/speech' },
  images: { wire: 'image-generations', path: '/images/generations' },
  imageEdits: { wire: 'image-edits', path: '/images/edits' },
  imageVariations: { wire: 'image-variations', path: '/images/variations' },
  tokenize: { wire: 'tokenize', path: '/tokenize' },
} as const;
/** A name in the setting `paths`. */
export type CompatibleOperation = keyof typeof operations;
/** A wire that a compatible server can have. */
export type CompatibleWire = (typeof operations)[CompatibleOperation]['wire'];
/** The wires whose requests can ask for a stream that the gateway can write of a whole response. */
export const streamableWires = ['transcriptions', 'speech', 'image-generations', 'image-edits'] as const;
export const DEFAULT_WIRES: readonly CompatibleWire[] = ['chat-completions', 'embeddings'];
