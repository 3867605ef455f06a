import type { Capabilities, JsonObject } from '../../../core/api/index.ts';
import { isObject, schemaDialects, type TurnPlace, type WireTraits } from '../../../core/api/codec.ts';

/** What the wire cannot express, whatever the model: https://platform.claude.com/docs/en/api/messages */
export const limits: Capabilities = {
  choices: false,
  json: false,
  customTools: false,
  maxTemperature: 1,
  audio: false,
  video: false,
  toolName: /^[a-zA-Z0-9_-]{1,128}$/,
  cacheMarks: ['5m', '1h'],
};

const placeContent = (path: string, content: unknown): readonly string[] =>
  Array.isArray(content) ? content.map((_block, index) => `${path}[${index}]`) : [path];

/** An empty system prompt makes no turn. */
const isPresent = (system: unknown): boolean =>
  Array.isArray(system) ? system.length > 0 : system !== undefined && system !== null && system !== '';

/** The places of the turns that `client/request/turns.ts` reads. The system prompt is the first. */
const places = ({ system, messages }: Readonly<JsonObject>): readonly TurnPlace[] => [
  ...(isPresent(system) ? [{ turn: 'system', parts: placeContent('system', system) }] : []),
  ...(Array.isArray(messages) ? messages : []).map((message: unknown, index) => {
    const turn = `messages[${index}]`;
    return { turn, parts: placeContent(`${turn}.content`, isObject(message) ? message['content'] : undefined) };
  }),
];

/** https://platform.claude.com/docs/en/api/messages */
export const traits: WireTraits = {
  fieldNames: {
    parallelTools: 'tool_choice.disable_parallel_tool_use',
    output: 'output_config.format',
    stop: 'stop_sequences',
    effort: 'output_config.effort',
    budget: 'thinking.budget_tokens',
    show: 'thinking.display',
    reasoning: 'thinking',
    user: 'metadata.user_id',
    cache: 'cache_control',
  },
  places,
  omitsEmptyTurns: true,
  otherNames: {
    'output_config.effort': ['thinking'],
    'output_config.format': ['output_format'],
    cache_control: [
      'tools.cache_control',
      'system.cache_control',
      'messages.content.cache_control',
      'messages.content.content.cache_control',
    ],
    cache: ['cache_control'],
    service_tier: ['speed'],
    failed: ['is_error'],
    name: ['title'],
    reasoning: ['content.thinking', 'content.data'],
    signature: ['content.signature'],
    parts: ['content'],
    'parts.functionResponse.parts': ['content.content.source'],
  },
  requiresMaxTokens: true,
  schemas: schemaDialects.messages,
  // `max_uses`
  capsSearches: true,
  // https://docs.claude.com/en/docs/build-with-claude/extended-thinking
  strictThinking: true,
  // https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
  requiresDeclaredTools: true,
  // https://docs.claude.com/en/docs/build-with-claude/prompt-caching
  cacheMarksOnTools: true,
};
