import { createCompatibleProvider } from './create-provider.ts';
import { rerankCodec } from './rerank/index.ts';

const provider = createCompatibleProvider({
  name: 'openai-compatible',
  title: 'OpenAI-compatible',
  description:
    'Any server that speaks a wire of OpenAI: vLLM, Ollama, llama.cpp, LM Studio, a hosted service, another gateway.',
});

/** Any server with a wire of OpenAI. The codecs are found by the names of the wires: see README.md. */
export default { ...provider, codecs: [rerankCodec] };
