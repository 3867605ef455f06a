import { omitUndefined } from '../../core/api/codec.ts';
import { splitInHalf, type ChatVendorAnswer } from '../matrix/vendors/vendor-chat.ts';
import type { GoogleVendorAnswer } from '../matrix/vendors/vendor-google.ts';
import type { MessagesVendorAnswer } from '../matrix/vendors/vendor-messages.ts';
import type { ResponsesVendorAnswer } from '../matrix/vendors/vendor-responses.ts';
import { textOf, type VendorAnswers } from '../matrix/vendors/vendors.ts';
import type { Json, Mode, Wire } from '../matrix/wires.ts';

/**
 * A conversation of four responses: two calls at once, another after their results, a text, and a text on another
 * subject.
 */
export const stepNames = ['calls', 'another call', 'text', 'late'] as const;
export type StepName = (typeof stepNames)[number];

export const calls = [
  { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
  { id: 'call_2', name: 'get_time', input: {} },
  { id: 'call_3', name: 'get_weather', input: { city: 'Rome' } },
] as const;
const [paris, time, rome] = calls;

type ByStep<T> = Readonly<Record<StepName, T>>;

const thinking = (number: number): { readonly type: string } & Json => ({
  type: 'thinking',
  thinking: `Thought ${number}.`,
  signature: `SIG-MESSAGES-${number}`,
});
const redacted = { type: 'redacted_thinking', data: 'HIDDEN-MESSAGES' };
const use = (call: (typeof calls)[number]) => ({ type: 'tool_use', ...call });
const messages: ByStep<MessagesVendorAnswer> = {
  calls: {
    content: [thinking(1), redacted, { type: 'text', text: 'Checking.' }, use(paris), use(time)],
    finish: 'tool_use',
  },
  'another call': { content: [thinking(2), use(rome)], finish: 'tool_use' },
  text: { content: [redacted, { type: 'text', text: 'Sunny.' }], finish: 'end_turn' },
  late: { content: [thinking(4), { type: 'text', text: 'Later.' }], finish: 'end_turn' },
};

const reasoning = (number: number, ...summary: readonly string[]) =>
  ({
    type: 'reasoning',
    summary: summary.map((text) => ({ type: 'summary_text', text })),
    encrypted_content: `ENCRYPTED-RESPONSES-${number}`,
  }) as const;
const said = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] }) as const;
const called = ({ id, name, input }: (typeof calls)[number]) =>
  ({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) }) as const;
const responses: ByStep<ResponsesVendorAnswer> = {
  calls: { output: [reasoning(1, 'Thought 1.'), said('Checking.'), called(paris), called(time)] },
  'another call': { output: [reasoning(2), called(rome)] },
  text: { output: [reasoning(3, 'Thought 3.'), said('Sunny.')] },
  late: { output: [reasoning(4), said('Later.')] },
};

const asked = ({ id, name, input }: (typeof calls)[number], thoughtSignature?: string): Json =>
  omitUndefined({
    functionCall: { id, name, args: input },
    thoughtSignature,
  });
const google: ByStep<GoogleVendorAnswer> = {
  calls: {
    parts: [{ text: 'Thought 1.', thought: true }, { text: 'Checking.' }, asked(paris, 'R09PR0xFLTE='), asked(time)],
    finish: 'STOP',
  },
  'another call': { parts: [asked(rome, 'R09PR0xFLTI=')], finish: 'STOP' },
  text: {
    parts: [
      { text: 'Thought 3.', thought: true },
      { text: 'Sunny.', thoughtSignature: 'R09PR0xFLTM=' },
    ],
    finish: 'STOP',
  },
  late: { parts: [{ text: 'Later.', thoughtSignature: 'R09PR0xFLTQ=' }], finish: 'STOP' },
};

/** A chat server with reasoning in the dialect of OpenRouter: in streams, both members have every piece. */
const detail = (number: number): Json => ({
  type: 'reasoning.text',
  text: `Thought ${number}.`,
  signature: `SIG-CHAT-${number}`,
  index: 0,
  format: 'unknown',
});
const sealed = (index: number): Json => ({
  type: 'reasoning.encrypted',
  data: 'HIDDEN-CHAT',
  index,
  format: 'unknown',
});
const chatCall = ({ id, name, input }: (typeof calls)[number]) => ({ id, name, arguments: JSON.stringify(input) });

const streamDetail = ({ text, signature, ...others }: Json): readonly Json[] => {
  if (text === undefined) return [{ reasoning_details: [others] }];
  const pieces = splitInHalf(String(text)).map((piece) => ({
    reasoning_content: piece,
    reasoning_details: [{ ...others, text: piece }],
  }));
  return [...pieces, { reasoning_details: [{ ...others, signature }] }];
};
const asksFor = (call: (typeof calls)[number], index: number): Json => ({
  index,
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: JSON.stringify(call.input) },
});
const chatAnswer = (
  details: readonly Json[],
  content: string | null,
  ...made: readonly (typeof calls)[number][]
): ChatVendorAnswer => {
  const text = details.map((one) => String(one['text'] ?? '')).join('');
  return {
    message: {
      content,
      reasoning_details: details,
      ...(text === '' ? {} : { reasoning_content: text }),
      ...(made.length === 0 ? {} : { tool_calls: made.map(chatCall) }),
    },
    deltas: [
      { role: 'assistant', content: '' },
      ...details.flatMap(streamDetail),
      ...(content === null ? [] : [{ content }]),
      ...made.map((call, index) => ({ tool_calls: [asksFor(call, index)] })),
    ],
    finish: made.length === 0 ? 'stop' : 'tool_calls',
  };
};
const chat: ByStep<ChatVendorAnswer> = {
  calls: chatAnswer([detail(1), sealed(1)], 'Checking.', paris, time),
  'another call': chatAnswer([detail(2)], null, rome),
  text: chatAnswer([sealed(0)], 'Sunny.'),
  late: chatAnswer([detail(4)], 'Later.'),
};

export const answersOf = (step: StepName): VendorAnswers => ({
  chat: chat[step],
  messages: messages[step],
  responses: responses[step],
  google: google[step],
});
export const wordsOf = (wire: Wire, step: StepName, mode: Mode): string => textOf(wire, mode, answersOf(step));

/** All proofs, as vendors send them and as the gateway seals them. */
export const proofs = /SIG-(?:MESSAGES|CHAT)|HIDDEN-|ENCRYPTED-|R09PR0xF|a29pbmUx/;
/** The proofs of one vendor. */
export const proofsOf: Readonly<Record<Wire, RegExp>> = {
  chat: /-CHAT/,
  messages: /-MESSAGES/,
  responses: /-RESPONSES/,
  google: /R09PR0xF/,
};
