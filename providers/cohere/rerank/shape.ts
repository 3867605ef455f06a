/** The wire of `POST /v2/rerank`: https://docs.cohere.com/reference/rerank */
export const WIRE = 'cohere-rerank';
