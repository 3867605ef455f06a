/** The wire of `:embedContent` and `:batchEmbedContents`: https://ai.google.dev/api/embeddings */
export const WIRE = 'embed-content';

/** A name as the vendor's paths and bodies write it. */
export const resourceName = (model: string): string => (model.includes('/') ? model : `models/${model}`);
