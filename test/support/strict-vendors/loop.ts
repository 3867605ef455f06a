import type { Wire } from '../../matrix/wires.ts';
import type { Json } from './rule.ts';
import { proofOf, thoughtOf } from './written.ts';

/** What the client asks for besides the conversation. */
export type Thinking = 'limited' | 'off' | 'unset';
export interface LoopSettings {
  readonly thinking: Thinking;
  /** Whether a result has an image. */
  readonly images: boolean;
}
/** A request of a loop, as a client of the wire writes it. `model` is not in it. */
export type LoopRequest = Json;

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A result that is a schema itself. */
const SCHEMA = '{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}';
const question = 'Weather in Oslo and Rome?';
const city = (name: string): Json => ({ city: name });

/** A schema of a usual tool, with all that some vendor refuses in strict schemas. */
const lookUp: Json = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1, maxLength: 80 },
    days: { type: 'integer', minimum: 1, maximum: 7 },
    units: { oneOf: [{ type: 'string', enum: ['C', 'F'] }, { type: 'null' }] },
  },
  required: ['city'],
};

const chatTurns = ({ images }: LoopSettings): readonly (readonly Json[])[] => {
  const call = (id: string, name: string, input: Json): Json => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  });
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
  return [
    [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: images ? [{ type: 'text', text: question }, image] : question },
    ],
    [
      {
        role: 'assistant',
        content: 'I look both up.',
        tool_calls: [call('call_1', 'look_up', city('Oslo')), call('call_2', 'look_up', city('Rome'))],
      },
      { role: 'tool', tool_call_id: 'call_1', content: SCHEMA },
      { role: 'tool', tool_call_id: 'call_2', content: 'Sunny' },
    ],
    [
      { role: 'assistant', content: null, tool_calls: [call('call_3', 'now', {})] },
      { role: 'tool', tool_call_id: 'call_3', content: '12:00' },
    ],
    [
      { role: 'assistant', content: 'Sunny in both.' },
      { role: 'user', content: 'And Paris?' },
    ],
  ];
};

const messagesTurns = ({ images, thinking }: LoopSettings): readonly (readonly Json[])[] => {
  const use = (id: string, name: string, input: Json): Json => ({ type: 'tool_use', id, name, input });
  const result = (id: string, content: unknown): Json => ({ type: 'tool_result', tool_use_id: id, content });
  const thought = (step: number): readonly Json[] =>
    thinking === 'limited' ? [{ type: 'thinking', thinking: thoughtOf(step), signature: proofOf(step) }] : [];
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
  return [
    [{ role: 'user', content: question }],
    [
      {
        role: 'assistant',
        content: [
          ...thought(1),
          { type: 'text', text: 'I look both up.' },
          use('toolu_1', 'look_up', city('Oslo')),
          use('toolu_2', 'look_up', city('Rome')),
        ],
      },
      {
        role: 'user',
        content: [
          result('toolu_1', SCHEMA),
          result('toolu_2', images ? [{ type: 'text', text: 'Sunny' }, image] : 'Sunny'),
        ],
      },
    ],
    [
      { role: 'assistant', content: [...thought(2), use('toolu_3', 'now', {})] },
      { role: 'user', content: [result('toolu_3', '12:00'), { type: 'text', text: 'Go on.' }] },
    ],
    [
      { role: 'assistant', content: [{ type: 'text', text: 'Sunny in both.' }] },
      { role: 'user', content: 'And Paris?' },
    ],
  ];
};

const responsesTurns = ({ images }: LoopSettings): readonly (readonly Json[])[] => {
  const call = (id: string, name: string, input: Json): Json => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(input),
  });
  const output = (id: string, value: unknown): Json => ({ type: 'function_call_output', call_id: id, output: value });
  const image = { type: 'input_image', image_url: `data:image/png;base64,${PNG}` };
  return [
    [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: question },
    ],
    [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look both up.' }] },
      call('call_1', 'look_up', city('Oslo')),
      call('call_2', 'look_up', city('Rome')),
      output('call_1', SCHEMA),
      output('call_2', images ? [{ type: 'input_text', text: 'Sunny' }, image] : 'Sunny'),
    ],
    [call('call_3', 'now', {}), output('call_3', '12:00')],
    [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sunny in both.' }] },
      { role: 'user', content: 'And Paris?' },
    ],
  ];
};

const googleTurns = (): readonly (readonly Json[])[] => {
  const call = (name: string, args: Json): Json => ({ functionCall: { name, args } });
  const response = (name: string, value: Json): Json => ({ functionResponse: { name, response: value } });
  return [
    [{ role: 'user', parts: [{ text: question }] }],
    [
      { role: 'model', parts: [{ text: 'Both.' }, call('look_up', city('Oslo')), call('look_up', city('Rome'))] },
      { role: 'user', parts: [response('look_up', { output: SCHEMA }), response('look_up', { sky: 'sunny' })] },
    ],
    [
      { role: 'model', parts: [call('now', {})] },
      { role: 'user', parts: [response('now', { time: '12:00' })] },
    ],
    [
      { role: 'model', parts: [{ text: 'Sunny in both.' }] },
      { role: 'user', parts: [{ text: 'And Paris?' }] },
    ],
  ];
};

const thinkingOf: Readonly<Record<Wire, Readonly<Record<Exclude<Thinking, 'unset'>, Json>>>> = {
  chat: { limited: {}, off: {} },
  messages: {
    limited: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    off: { thinking: { type: 'disabled' } },
  },
  responses: {
    limited: { reasoning: { effort: 'medium' }, include: ['reasoning.encrypted_content'] },
    off: { reasoning: { effort: 'none' } },
  },
  google: {
    limited: { thinkingConfig: { thinkingBudget: 2_000, includeThoughts: true } },
    off: { thinkingConfig: { thinkingBudget: 0 } },
  },
};
const description = 'The weather of a city.';

/**
 * A request of a tool loop with parallel calls, a tool without parameters, results that are JSON and images, and
 * thinking.
 * @param step how many times the model has answered before: 0 to 3
 */
export function loopRequest(client: Wire, step: number, settings: LoopSettings): LoopRequest {
  const { thinking } = settings;
  const asked = thinking === 'unset' ? {} : thinkingOf[client][thinking];
  const upTo = (turns: readonly (readonly Json[])[]): readonly Json[] => turns.slice(0, step + 1).flat();
  const requests: Readonly<Record<Wire, () => Json>> = {
    chat: () => ({
      messages: upTo(chatTurns(settings)),
      tools: [
        { type: 'function', function: { name: 'look_up', description, parameters: lookUp } },
        { type: 'function', function: { name: 'now' } },
      ],
      tool_choice: 'auto',
      max_completion_tokens: 4_000,
    }),
    messages: () => ({
      system: 'Be brief.',
      messages: upTo(messagesTurns(settings)),
      tools: [
        { name: 'look_up', description, input_schema: lookUp },
        { name: 'now', input_schema: { type: 'object' } },
      ],
      ...(step === 0 && thinking === 'unset' ? { tool_choice: { type: 'any' } } : {}),
      max_tokens: 4_000,
      ...asked,
    }),
    responses: () => ({
      input: upTo(responsesTurns(settings)),
      tools: [
        { type: 'function', name: 'look_up', description, parameters: lookUp, strict: false },
        { type: 'function', name: 'now', parameters: null, strict: false },
      ],
      ...(step === 0 ? { tool_choice: 'required' } : {}),
      max_output_tokens: 4_000,
      store: false,
      ...asked,
    }),
    google: () => ({
      contents: upTo(googleTurns()),
      tools: [
        { functionDeclarations: [{ name: 'look_up', description, parametersJsonSchema: lookUp }, { name: 'now' }] },
      ],
      generationConfig: { maxOutputTokens: 4_000, ...asked },
    }),
  };
  return requests[client]();
}
