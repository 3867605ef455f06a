import { turnsOf, says, call, formatOf, lacksReasoning, common } from './chat-shape.ts';
import { efforts, jsonOf, members, rule, type Json, type Rule } from './rule.ts';

const deepseek = 'https://api-docs.deepseek.com/guides/thinking_mode';
const kimi = 'https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model';
const zai = 'https://docs.z.ai/guides/capabilities/thinking-mode';

const isForced = ({ tool_choice: choice }: Json): boolean =>
  choice === 'required' || (typeof choice === 'object' && choice !== null);
const isOff = ({ thinking }: Json): boolean => jsonOf(thinking)['type'] === 'disabled';
const forced = { tool_choice: 'required' };
const sampling = ['temperature', 'top_p'];
/** Vendors that make the models that they host. */
export const makerRules: readonly Rule[] = [
  rule(
    { at: 'deepseek', page: deepseek },
    'reasoning_content is missing',
    (body) => turnsOf(body).some(lacksReasoning),
    says([call('c')]),
  ),
  efforts({ at: 'deepseek', page: deepseek }, ['low', 'medium', 'high', 'xhigh', 'max']),
  rule(
    { at: 'deepseek', page: 'https://api-docs.deepseek.com/guides/json_mode' },
    'this response_format type is unavailable',
    (body) => formatOf(body)['type'] === 'json_schema',
    { response_format: { type: 'json_schema' } },
  ),
  rule(
    { at: 'deepseek', page: 'https://github.com/deepseek-ai/DeepSeek-V3/issues/1376' },
    'thinking mode does not support this tool_choice',
    (body) => isForced(body) && !isOff(body),
    forced,
  ),
  ...common('deepseek', deepseek),
  efforts({ at: 'moonshot', models: /^kimi-k2/, model: 'kimi-k2.6', page: kimi }, []),
  efforts({ at: 'moonshot', models: /^kimi-k3/, model: 'kimi-k3', page: kimi }, ['low', 'high', 'max']),
  rule(
    { at: 'moonshot', models: /^kimi-k2\.7/, model: 'kimi-k2.7-code', page: kimi },
    'thinking cannot be disabled',
    ({ thinking }) => jsonOf(thinking)['type'] === 'disabled',
    { thinking: { type: 'disabled' } },
  ),
  ...members(
    { at: 'moonshot', models: /^kimi/, model: 'kimi-k3', page: 'https://platform.kimi.ai/docs/api/chat' },
    sampling,
  ),
  rule(
    { at: 'moonshot', page: kimi },
    'reasoning_content is missing',
    (body) => turnsOf(body).some(lacksReasoning),
    says([call('c')]),
  ),
  rule(
    { at: 'moonshot', models: /^kimi/, model: 'kimi-k3', page: kimi },
    'tool_choice must be auto or none with thinking',
    (body) => isForced(body) && !isOff(body),
    forced,
  ),
  ...common('moonshot', kimi),
  efforts({ at: 'zai', models: /^glm-(?:4|5(?:\.1)?$)/, model: 'glm-4.6', page: zai }, []),
  efforts({ at: 'zai', models: /^glm-5\.3/, model: 'glm-5.3', page: zai }, ['low', 'high', 'max']),
  rule(
    { at: 'zai', page: 'https://docs.z.ai/guides/capabilities/struct-output' },
    'response_format type must be text or json_object',
    (body) => formatOf(body)['type'] === 'json_schema',
    { response_format: { type: 'json_schema' } },
  ),
  rule(
    { at: 'zai', page: 'https://docs.z.ai/api-reference/llm/chat-completion' },
    'tool_choice must be auto',
    isForced,
    forced,
  ),
  ...common('zai', zai),
];
