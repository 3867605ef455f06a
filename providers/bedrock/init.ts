import type { ProviderInit } from '../../core/api/index.ts';

/** What a first configuration has of Bedrock. The region comes from AWS_REGION. */
export const bedrockInit: ProviderInit = {
  env: ['AWS_BEARER_TOKEN_BEDROCK'],
  models: [
    { name: 'global.anthropic.claude-sonnet-4-6', as: 'claude-sonnet-4-6', role: 'strong' },
    {
      name: 'global.anthropic.claude-haiku-4-5-20251001-v1:0',
      as: 'claude-haiku-4-5-20251001',
      role: 'fast',
    },
    { name: 'us.amazon.nova-2-lite-v1:0' },
    { name: 'us.amazon.nova-micro-v1:0' },
  ],
};
