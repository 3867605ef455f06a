/** The wire of `POST /v1/embeddings`: https://platform.openai.com/docs/api-reference/embeddings */
export const WIRE = 'embeddings';
