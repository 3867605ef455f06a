/** The wire of InvokeModel of models that rerank. */
export const WIRE = 'bedrock-rerank';
