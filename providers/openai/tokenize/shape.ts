/** The wire of `POST /tokenize` of vLLM: https://docs.vllm.ai/en/latest/serving/openai_compatible_server/#tokenizer-api */
export const WIRE = 'tokenize';
