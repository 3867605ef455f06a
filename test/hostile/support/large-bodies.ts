import type { Wire } from '../../matrix/wires.ts';

/* Bodies of many small values, as text: a test process must not hold their values. */

const repeat = (item: string, count: number): string => Array<string>(count).fill(item).join(',');

const message: Readonly<Record<Wire, string>> = {
  chat: '{"role":"user","content":"a"}',
  messages: '{"role":"user","content":"a"}',
  responses: '{"role":"user","content":"a"}',
  google: '{"parts":[{"text":"a"}]}',
};
const part: Readonly<Record<Wire, string>> = {
  chat: '{"type":"text","text":"a"}',
  messages: '{"type":"text","text":"a"}',
  responses: '{"type":"input_text","text":"a"}',
  google: '{"text":"a"}',
};

const withMessages = (wire: Wire, model: string, messages: string, more = ''): string => {
  if (wire === 'google') return `{"contents":[${messages}]${more}}`;
  if (wire === 'responses') return `{"model":"${model}","input":[${messages}]${more}}`;
  return `{"model":"${model}",${wire === 'messages' ? '"max_tokens":5,' : ''}"messages":[${messages}]${more}}`;
};

/** A call of a tool with these arguments, and its result. */
const callWith = (wire: Wire, value: string): string => {
  const text = JSON.stringify(value);
  if (wire === 'chat')
    return (
      `{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":${text}}}]},` +
      '{"role":"tool","tool_call_id":"c1","content":"ok"}'
    );
  if (wire === 'messages')
    return (
      `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":${value}}]},` +
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"ok"}]}'
    );
  if (wire === 'responses')
    return (
      `{"type":"function_call","call_id":"c1","name":"f","arguments":${text}},` +
      '{"type":"function_call_output","call_id":"c1","output":"ok"}'
    );
  return (
    `{"role":"model","parts":[{"functionCall":{"name":"f","args":${value}}}]},` +
    '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"x":1}}}]}'
  );
};

const toolWith = (wire: Wire, name: string): string => {
  const schema = '{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}';
  if (wire === 'chat') return `{"type":"function","function":{"name":"${name}","parameters":${schema}}}`;
  if (wire === 'messages') return `{"name":"${name}","input_schema":${schema}}`;
  if (wire === 'responses') return `{"type":"function","name":"${name}","parameters":${schema},"strict":false}`;
  return `{"name":"${name}","parameters":${schema}}`;
};

/** By what there is much of. Each stays within the bounds of one body. */
export const largeBodies = {
  messages: (wire: Wire, model: string): string =>
    withMessages(wire, model, repeat(message[wire], wire === 'google' ? 33_000 : 99_000)),
  parts: (wire: Wire, model: string): string =>
    withMessages(
      wire,
      model,
      `{"role":"user","${wire === 'google' ? 'parts' : 'content'}":[${repeat(part[wire], 99_000)}]}`,
    ),
  tools: (wire: Wire, model: string): string => {
    const tools = Array.from({ length: 9_900 }, (_, index) => toolWith(wire, `t${index}`)).join(',');
    const value = `{"a":[${repeat('{"b":"c"}', 30_000)}]}`;
    return withMessages(
      wire,
      model,
      `${message[wire]},${callWith(wire, value)}`,
      wire === 'google' ? `,"tools":[{"functionDeclarations":[${tools}]}]` : `,"tools":[${tools}]`,
    );
  },
};

export type LargeBody = keyof typeof largeBodies;

/** So many tiny messages. */
export const tinyMessages = (wire: Wire, model: string, count: number): string =>
  withMessages(wire, model, repeat(message[wire], count));

/** An ordinary body near the limit of 20 MB: some thousand long messages. */
export const longMessages = (wire: Wire, model: string): string =>
  withMessages(wire, model, repeat(message[wire].replace('"a"', `"${'A long text. '.repeat(480)}"`), 3_100));
