/** The wire of `:embedContent` and `:batchEmbedContents`: https://ai.google.dev/api/embeddings */
export const WIRE = 'embed-content';
