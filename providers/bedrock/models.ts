import type { Capabilities, ModelFamily } from '../../core/api/index.ts';

/** Prefixes of inference profiles: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html */
const profiles = ['', 'us.', 'eu.', 'apac.', 'global.', 'jp.', 'au.', 'ca.', 'us-gov.'];

/** No model on this vendor downloads media. */
const common: Capabilities = { mediaUrls: false, audio: false };
const textOnly: Capabilities = { ...common, vision: false, documents: false, video: false };
const withDocuments: Capabilities = { ...common, vision: false, video: false };

const claude3: Capabilities = {
  ...common,
  thinking: 'none',
  efforts: [],
  vision: true,
  documents: true,
  video: false,
  schema: false,
  midSystem: false,
  maxOutput: 4_096,
  contextTokens: 200_000,
};
const claude35: Capabilities = { ...claude3, maxOutput: 8_192, cacheMarks: ['5m'] };
const budget: Capabilities = {
  ...common,
  thinking: 'budget',
  thinksUnasked: false,
  vision: true,
  documents: true,
  video: false,
  schema: false,
  midSystem: false,
  forcedTool: 'not-with-thinking',
  cacheMarks: ['5m'],
  contextTokens: 200_000,
};
const claude45: Capabilities = {
  ...budget,
  schema: true,
  temperatureWithTopP: false,
  cacheMarks: ['5m', '1h'],
  maxOutput: 64_000,
};
const adaptive: Capabilities = {
  ...claude45,
  thinking: 'adaptive',
  efforts: ['low', 'medium', 'high', 'max'],
  prefill: false,
  maxOutput: 128_000,
  contextTokens: 1_000_000,
};
const withoutSampling: Capabilities = {
  ...adaptive,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  sampling: false,
};

/** https://docs.aws.amazon.com/nova/latest/userguide/what-is-nova.html */
const nova: Capabilities = {
  ...common,
  efforts: [],
  thinking: 'none',
  vision: true,
  documents: true,
  video: true,
  schema: false,
  cacheMarks: ['5m'],
  contextTokens: 300_000,
};
const nova2: Capabilities = {
  ...nova,
  efforts: ['low', 'medium', 'high'],
  thinking: 'adaptive',
  thinksUnasked: false,
  maxOutput: 64_000,
  contextTokens: 1_000_000,
};
const gptOss: Capabilities = { ...textOnly, efforts: ['low', 'medium', 'high'], thinkingOff: false };

/** https://developers.openai.com/api/docs/guides/amazon-bedrock */
const gpt: Capabilities = {
  ...common,
  thinking: 'adaptive',
  sampling: false,
  prefill: false,
  vision: true,
  video: false,
};

const family = (capabilities: Capabilities, ...names: readonly string[]): readonly ModelFamily[] =>
  names.flatMap((name) => profiles.map((profile) => ({ prefix: profile + name, capabilities })));

/** By the vendor's model ids, also behind inference profiles. A dated snapshot matches its family. */
export const bedrockModels: readonly ModelFamily[] = [
  // Whatever the model, also behind an ARN.
  { prefix: '', capabilities: common },
  ...family(claude3, 'anthropic.claude-3'),
  ...family(claude35, 'anthropic.claude-3-5'),
  ...family({ ...budget, maxOutput: 64_000 }, 'anthropic.claude-3-7', 'anthropic.claude-sonnet-4'),
  ...family({ ...budget, maxOutput: 32_000 }, 'anthropic.claude-opus-4'),
  ...family({ ...budget, maxOutput: 32_000, temperatureWithTopP: false }, 'anthropic.claude-opus-4-1'),
  ...family(claude45, 'anthropic.claude-haiku-4-5', 'anthropic.claude-sonnet-4-5', 'anthropic.claude-opus-4-5'),
  ...family(adaptive, 'anthropic.claude-sonnet-4-6', 'anthropic.claude-opus-4-6'),
  ...family(withoutSampling, 'anthropic.claude-opus-4-7', 'anthropic.claude-opus-4-8'),
  ...family({ ...nova, maxOutput: 10_000 }, 'amazon.nova-lite', 'amazon.nova-pro', 'amazon.nova-premier'),
  ...family({ ...nova, vision: false, documents: false, video: false, maxOutput: 10_000 }, 'amazon.nova-micro'),
  ...family(nova2, 'amazon.nova-2'),
  ...family({ ...textOnly, schema: false }, 'amazon.titan-text', 'ai21.', 'cohere.command'),
  ...family(gpt, 'openai.'),
  ...family(gptOss, 'openai.gpt-oss'),
  ...family({ ...withDocuments, schema: false }, 'meta.llama3', 'mistral.mistral-7b', 'mistral.mixtral'),
  ...family({ ...common, schema: false }, 'meta.llama4'),
  ...family({ ...withDocuments, schema: false }, 'deepseek.r1'),
];
