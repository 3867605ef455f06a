import {
  GEN_AI_OPERATION_NAME_VALUE_CHAT as CHAT,
  GEN_AI_OPERATION_NAME_VALUE_EMBEDDINGS as EMBEDDINGS,
  GEN_AI_OPERATION_NAME_VALUE_GENERATE_CONTENT as GENERATE_CONTENT,
  GEN_AI_PROVIDER_NAME_VALUE_ANTHROPIC as ANTHROPIC,
  GEN_AI_PROVIDER_NAME_VALUE_GCP_GEMINI as GEMINI,
  GEN_AI_PROVIDER_NAME_VALUE_GROQ as GROQ,
  GEN_AI_PROVIDER_NAME_VALUE_MISTRAL_AI as MISTRAL,
  GEN_AI_PROVIDER_NAME_VALUE_OPENAI as OPENAI,
  GEN_AI_PROVIDER_NAME_VALUE_X_AI as X_AI,
} from '@opentelemetry/semantic-conventions/incubating';
import { expect } from 'chai';
import { nameError, nameOperation, nameProvider } from '../../../plugins/shared/genai-names.ts';

describe('names of the OpenTelemetry conventions', () => {
  const vendorOf = (provider: string, use: string): string =>
    nameProvider({
      id: `${provider}/m`,
      provider,
      model: 'm',
      endpoint: { wires: [], origin: { provider: use, family: 'any' } },
      credentials: [],
    });

  it('names the vendor of a known endpoint, whatever the name of the provider', () => {
    expect([vendorOf('work', 'openai'), vendorOf('work', 'anthropic'), vendorOf('work', 'google')]).to.deep.equal([
      OPENAI,
      ANTHROPIC,
      GEMINI,
    ]);
  });

  it('names other providers as in the configuration, with the name of the conventions if there is one', () => {
    expect(
      ['groq', 'mistral', 'xai', 'house', 'constructor'].map((provider) => vendorOf(provider, 'openai-compatible')),
    ).to.deep.equal([GROQ, MISTRAL, X_AI, 'house', 'constructor']);
  });

  it('names the operation by its wire', () => {
    expect(nameOperation('generate', 'chat-completions'))
      .to.equal(CHAT)
      .and.equal(nameOperation('generate', 'messages'))
      .and.equal(nameOperation('generate', undefined));
    expect([
      nameOperation('generate', 'generate-content'),
      nameOperation('embed', 'embed-content'),
      nameOperation('count-tokens', 'messages'),
      nameOperation('compact', 'responses'),
    ]).to.deep.equal([GENERATE_CONTENT, EMBEDDINGS, 'count_tokens', 'compact']);
  });

  it('success has an empty error type', () => {
    expect(['ok', 'timeout', 'client_closed'].map(nameError)).to.deep.equal(['', 'timeout', 'client_closed']);
  });
});
