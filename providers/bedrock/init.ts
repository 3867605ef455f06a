import type { ProviderInit } from '../../core/api/index.ts';

/** What a first configuration has of Bedrock. The region comes from AWS_REGION. */
export const bedrockInit: ProviderInit = {
  env: ['AWS_BEARER_TOKEN_BEDROCK'],
  models: [
    'global.anthropic.claude-sonnet-4-6',
    'global.anthropic.claude-haiku-4-5-20251001-v1:0',
    'us.amazon.nova-2-lite-v1:0',
    'us.amazon.nova-micro-v1:0',
  ].map((name) => ({ name })),
};
