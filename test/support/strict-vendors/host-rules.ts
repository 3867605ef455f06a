import { turnsOf, says, isDeveloper, common } from './chat-shape.ts';
import { efforts, findWithin, jsonOf, members, rule, type Rule } from './rule.ts';

const groq = 'https://console.groq.com/docs/openai';
const groqReasoning = 'https://console.groq.com/docs/reasoning';
const cerebras = 'https://inference-docs.cerebras.ai/resources/openai';
const cerebrasReasoning = 'https://inference-docs.cerebras.ai/capabilities/reasoning';
const xai = 'https://docs.x.ai/developers/model-capabilities/text/reasoning';
const together = 'https://docs.together.ai/docs/inference/chat/reasoning';
const fireworks = 'https://docs.fireworks.ai/guides/reasoning';

const groqRules: readonly Rule[] = [
  ...members({ at: 'groq', page: groq }, ['logprobs', 'logit_bias', 'top_logprobs']),
  rule({ at: 'groq', page: groq }, 'n must be 1', ({ n }) => n !== undefined && n !== 1, { n: 2 }),
  rule(
    { at: 'groq', page: groq },
    'unknown member name',
    (body) => turnsOf(body).some(({ name }) => name !== undefined),
    says([{ role: 'user', name: 'a' }]),
  ),
  efforts({ at: 'groq', models: /^qwen/, model: 'qwen/qwen3', page: groqReasoning }, ['none', 'default']),
  efforts({ at: 'groq', models: /gpt-oss/, model: 'openai/gpt-oss-120b', page: groqReasoning }, [
    'low',
    'medium',
    'high',
  ]),
  ...common('groq', groq),
];

const cerebrasRules: readonly Rule[] = [
  ...members({ at: 'cerebras', page: cerebras }, ['frequency_penalty', 'presence_penalty', 'logit_bias']),
  efforts({ at: 'cerebras', page: cerebrasReasoning }, ['low', 'medium', 'high']),
  ...common('cerebras', cerebras),
];

const reasons = /^grok-(?!.*non-reasoning)/;
const xaiRules: readonly Rule[] = [
  ...members({ at: 'xai', models: reasons, model: 'grok-4.7', page: xai }, [
    'stop',
    'frequency_penalty',
    'presence_penalty',
  ]),
  efforts({ at: 'xai', models: /^grok-(?:build|4\.20-0309)/, model: 'grok-build-0.1', page: xai }, []),
  efforts({ at: 'xai', models: /^grok-4\.3/, model: 'grok-4.3', page: xai }, ['none', 'low', 'medium', 'high']),
  efforts({ at: 'xai', models: /^grok-4\.[56]/, model: 'grok-4.5', page: xai }, ['low', 'medium', 'high']),
  efforts({ at: 'xai', models: /^grok-4\.7/, model: 'grok-4.7', page: xai }, ['low', 'medium', 'high', 'xhigh']),
  ...common('xai', xai),
];

const otherRules: readonly Rule[] = [
  efforts({ at: 'together', models: /gpt-oss/, model: 'openai/gpt-oss-120b', page: together }, [
    'low',
    'medium',
    'high',
  ]),
  efforts({ at: 'together', models: /Kimi-K2/, model: 'moonshotai/Kimi-K2.6', page: together }, []),
  ...common('together', together),
  efforts({ at: 'fireworks', models: /glm-5p1/, model: 'glm-5p1', page: fireworks }, ['none', 'high', 'max']),
  efforts({ at: 'fireworks', models: /gpt-oss/, model: 'gpt-oss-20b', page: fireworks }, ['low', 'medium', 'high']),
  ...common('fireworks', fireworks),
  efforts({ at: 'ollama-openai', page: 'https://github.com/ollama/ollama/blob/main/openai/openai.go' }, [
    'none',
    'low',
    'medium',
    'high',
    'max',
  ]),
  rule(
    { at: 'openrouter', page: 'https://openrouter.ai/docs/use-cases/reasoning-tokens' },
    'reasoning.effort and reasoning.max_tokens exclude each other',
    ({ reasoning, reasoning_effort: effort }) => jsonOf(reasoning)['max_tokens'] !== undefined && effort !== undefined,
    { reasoning: { max_tokens: 1 }, reasoning_effort: 'low' },
  ),
  efforts({ at: 'alibaba', page: 'https://www.alibabacloud.com/help/en/model-studio/deep-thinking' }, []),
  rule(
    { at: 'nvidia', page: 'https://docs.nvidia.com/nim/large-language-models/2.0.9/reference/api-reference/llms.txt' },
    'unknown role developer',
    (body) => findWithin(body['messages'], isDeveloper),
    says([{ role: 'developer' }]),
  ),
];

/** Vendors that host the models of others, and xAI. */
export const hostRules: readonly Rule[] = [...groqRules, ...cerebrasRules, ...xaiRules, ...otherRules];
