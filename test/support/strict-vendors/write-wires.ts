import { chunk } from '../../providers/bedrock/write-events.ts';
import { bodyOf, framesOf } from '../../matrix/interactions/convert.ts';
import { chatBody, chatFrames, type ChatVendorAnswer } from '../../matrix/vendors/vendor-chat.ts';
import { googleBody, googleFrames, type GoogleVendorAnswer } from '../../matrix/vendors/vendor-google.ts';
import { messagesBody, messagesFrames, type MessagesVendorAnswer } from '../../matrix/vendors/vendor-messages.ts';
import { responsesBody, responsesFrames, type Item } from '../../matrix/vendors/vendor-responses.ts';
import { someTokens } from '../../matrix/wires.ts';
import type { Json } from './rule.ts';
import type { Said, ScriptedCall } from './script.ts';
import {
  argumentsOf,
  events,
  frames,
  plain,
  proofOf,
  thoughtOf,
  wordsOf,
  type Asked,
  type Writer,
  type Written,
} from './written.ts';

/** Vendors whose models think on the chat wire, and the member of the thought. */
const thoughtMembers: Readonly<Record<string, (step: number) => Json>> = {
  deepseek: (step) => ({ reasoning_content: thoughtOf(step) }),
  moonshot: (step) => ({ reasoning_content: thoughtOf(step) }),
  zai: (step) => ({ reasoning_content: thoughtOf(step) }),
  openrouter: (step) => ({
    reasoning_details: [
      { type: 'reasoning.text', text: thoughtOf(step), signature: proofOf(step), index: 0, format: 'unknown' },
    ],
  }),
};

const chatAnswer = (said: Said, { vendor, thinks }: Asked): ChatVendorAnswer => ({
  message: {
    content: said.text ?? null,
    ...(thinks ? thoughtMembers[vendor]?.(said.step) : {}),
    ...(said.calls.length === 0
      ? {}
      : { tool_calls: said.calls.map((call) => ({ ...call, arguments: argumentsOf(call) })) }),
  },
  finish: said.calls.length === 0 ? 'stop' : 'tool_calls',
});
const messagesAnswer = (said: Said, { thinks }: Asked): MessagesVendorAnswer => ({
  content: [
    ...(thinks ? [{ type: 'thinking', thinking: thoughtOf(said.step), signature: proofOf(said.step) }] : []),
    ...wordsOf(said).map((text) => ({ type: 'text', text })),
    ...said.calls.map((call) => ({ type: 'tool_use', ...call, id: `toolu_${call.id}` })),
  ],
  finish: said.calls.length === 0 ? 'end_turn' : 'tool_use',
});
const responsesCall = (call: ScriptedCall): Item => {
  const head = { call_id: call.id, name: call.name, ...(call.namespace && { namespace: call.namespace }) };
  return call.text === undefined
    ? { type: 'function_call', ...head, arguments: argumentsOf(call) }
    : { type: 'custom_tool_call', ...head, input: call.text };
};
const responsesItems = (said: Said, { thinks }: Asked): readonly Item[] => [
  ...(thinks ? [{ type: 'reasoning' as const, summary: [], encrypted_content: proofOf(said.step) }] : []),
  ...wordsOf(said).map((text): Item => ({ type: 'message', content: [{ type: 'output_text', text }] })),
  ...said.calls.map(responsesCall),
];
/** Google signs the first call of a response, whether thoughts are shown or not. */
const googleAnswer = (said: Said): GoogleVendorAnswer => ({
  parts: [
    ...wordsOf(said).map((text) => ({ text })),
    ...said.calls.map(({ name, input }, index) => ({
      functionCall: { name, args: input },
      ...(index === 0 ? { thoughtSignature: proofOf(said.step) } : {}),
    })),
  ],
  finish: 'STOP',
});

/** Google signs each step in a thought. */
const interactionAnswer = (said: Said): GoogleVendorAnswer => ({
  parts: [
    { thought: true, text: '', thoughtSignature: proofOf(said.step) },
    ...wordsOf(said).map((text) => ({ text })),
    ...said.calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
  ],
  finish: 'STOP',
});

let made = 0;
const CONSTANT_ID = /(?<=")(msg|resp|chatcmpl|vendor|rs|fc)[_-](vendor|response|\d+)(?=")/g;
/** With identifiers that no other response has: the templates have constants. */
const withOwnIds = (list: readonly string[]): readonly string[] => {
  made += 1;
  const own = String(made).padStart(6, '0');
  return list.map((text) => text.replaceAll(CONSTANT_ID, (_, kind: string, name: string) => `${kind}_${own}${name}`));
};
const whole = (body: string): Written => plain(withOwnIds([body]).join(''));

export const writeChat: Writer = (said, asked) => {
  const answer = chatAnswer(said, asked);
  return asked.isStreamed ? frames(withOwnIds(chatFrames(answer, someTokens))) : whole(chatBody(answer, someTokens));
};
export const writeResponses: Writer = (said, asked) => {
  const answer = { output: responsesItems(said, asked) };
  return asked.isStreamed
    ? frames(withOwnIds(responsesFrames(answer, someTokens)))
    : whole(responsesBody(answer, someTokens));
};
export const writeMessages: Writer = (said, asked) => {
  const answer = messagesAnswer(said, asked);
  return asked.isStreamed
    ? frames(withOwnIds(messagesFrames(answer, someTokens)))
    : whole(messagesBody(answer, someTokens));
};
export const writeGoogle: Writer = (said, { isStreamed }) => {
  const answer = googleAnswer(said);
  return isStreamed ? frames(withOwnIds(googleFrames(answer, someTokens))) : whole(googleBody(answer, someTokens));
};

export const writeInteraction: Writer = (said, { isStreamed }) => {
  const answer = interactionAnswer(said);
  return isStreamed ? frames(withOwnIds(framesOf(answer, someTokens))) : whole(bodyOf(answer, someTokens));
};

const eventsOf = (text: string): readonly unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']): unknown => JSON.parse(data));
/** Claude at Bedrock: the events of the messages wire in frames of AWS. */
export const writeInvoked: Writer = (said, asked) => {
  const { text } = writeMessages(said, { ...asked, isStreamed: true });
  return events(eventsOf(text).map(chunk), text);
};
