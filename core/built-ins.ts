import auth from '../plugins/auth/index.ts';
import cacheAccounting from '../plugins/cache-accounting/index.ts';
import dashboard from '../plugins/dashboard/index.ts';
import failover from '../plugins/failover/index.ts';
import ledger from '../plugins/ledger/index.ts';
import metrics from '../plugins/metrics/index.ts';
import rateLimit from '../plugins/rate-limit/index.ts';
import traces from '../plugins/traces/index.ts';
import azureAnthropic from '../providers/anthropic/azure/index.ts';
import anthropic from '../providers/anthropic/index.ts';
import bedrock from '../providers/bedrock/index.ts';
import cohere from '../providers/cohere/index.ts';
import google from '../providers/google/index.ts';
import { createVertex } from '../providers/google/vertex/index.ts';
import mistral from '../providers/mistral/index.ts';
import ollama from '../providers/ollama/index.ts';
import azureOpenAi from '../providers/openai/azure/index.ts';
import openai from '../providers/openai/index.ts';
import openaiCompatible from '../providers/openai-compatible/index.ts';
import { presets } from '../providers/openai-compatible/presets/index.ts';
import simulator from '../providers/simulator/index.ts';
import type { BuiltIns } from './extensions/extension.ts';

/** Every built-in provider, plugin and importer. */
export const builtIns: BuiltIns = {
  provider: {
    anthropic,
    'azure-anthropic': azureAnthropic,
    bedrock,
    cohere,
    google,
    mistral,
    ollama,
    openai,
    'azure-openai': azureOpenAi,
    'openai-compatible': openaiCompatible,
    simulator,
    vertex: createVertex(anthropic),
  },
  presets,
  plugin: {
    auth,
    'cache-accounting': cacheAccounting,
    dashboard,
    failover,
    ledger,
    metrics,
    'rate-limit': rateLimit,
    traces,
  },
  optionalPlugins: {
    'auth-jwt': async () => (await import('../plugins/auth-jwt/index.ts')).default,
    'content-filter': async () => (await import('../plugins/content-filter/index.ts')).default,
    'prompt-log': async () => (await import('../plugins/prompt-log/index.ts')).default,
    'response-cache': async () => (await import('../plugins/response-cache/index.ts')).default,
  },
  importers: {
    bifrost: async () => (await import('../importers/bifrost/index.ts')).default,
    litellm: async () => (await import('../importers/litellm/index.ts')).default,
    portkey: async () => (await import('../importers/portkey/index.ts')).default,
  },
};
