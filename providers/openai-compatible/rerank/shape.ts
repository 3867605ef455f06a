/** The wire of `POST /v1/rerank`: https://jina.ai/reranker, https://docs.vllm.ai/en/latest/serving/openai_compatible_server */
export const WIRE = 'rerank';
