import type { VendorAnswers } from './vendors/vendors.ts';
import { wires, type Json, type Wire } from './wires.ts';

type ByWire<T> = Readonly<Record<Wire, T>>;

/** The conversation and the output cap of a body. */
const bodies: ByWire<(turns: readonly Json[], more: Json) => Json> = {
  chat: (messages, more) => ({ max_completion_tokens: 100, messages, ...more }),
  messages: (messages, more) => ({ max_tokens: 100, messages, ...more }),
  responses: (input, more) => ({ max_output_tokens: 100, input, ...more }),
  google: (contents, { generationConfig, ...more }) => ({
    contents,
    generationConfig: { maxOutputTokens: 100, ...(generationConfig as Json | undefined) },
    ...more,
  }),
};

/** A request body of the wire. */
export const bodyOf = (wire: Wire, turns: readonly Json[], more: Json = {}): Json => bodies[wire](turns, more);

const text =
  (type: string) =>
  (words: string): Json => ({ type, text: words });

/** A user turn in a translated request. */
export const userTurn: ByWire<(...texts: readonly string[]) => Json> = {
  chat: (first = '', ...others) => ({
    role: 'user',
    content: others.length === 0 ? first : [first, ...others].map(text('text')),
  }),
  messages: (...texts) => ({ role: 'user', content: texts.map(text('text')) }),
  responses: (...texts) => ({ type: 'message', role: 'user', content: texts.map(text('input_text')) }),
  google: (...texts) => ({ role: 'user', parts: texts.map((words) => ({ text: words })) }),
};

/** An assistant turn of the history. */
export const assistantTurn: ByWire<(words: string) => Json> = {
  chat: (words) => ({ role: 'assistant', content: words }),
  messages: (words) => ({ role: 'assistant', content: [text('text')(words)] }),
  responses: (words) => ({ type: 'message', role: 'assistant', content: [text('output_text')(words)] }),
  google: (words) => ({ role: 'model', parts: [{ text: words }] }),
};

/** Translated requests are stateless: nothing is stored at the vendor. */
export const stateless = { store: false } as const;
/** Without storage, the response must include what the next turn needs of the reasoning. */
export const openReasoning = { store: false, include: ['reasoning.encrypted_content'] } as const;

const forAll = <T>(make: (wire: Wire) => T): ByWire<T> =>
  Object.fromEntries(wires.map((wire) => [wire, make(wire)])) as ByWire<T>;

/** The same user text as a body of each wire, with additional members for some wires. */
export const requestBodies = (words: string, more: Partial<ByWire<Json>> = {}): ByWire<Json> =>
  forAll((wire) => bodyOf(wire, [userTurn[wire](words)], more[wire]));
/** The same bodies as a translated request has them. */
export const receivedBodies = (words: string, more: Partial<ByWire<Json>> = {}): ByWire<Json> =>
  requestBodies(words, { ...more, responses: { ...stateless, ...more.responses } });

/** The smallest request of each wire. */
export const hello: ByWire<Json> = {
  chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  responses: { max_output_tokens: 100, input: 'Hello' },
  google: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], generationConfig: { maxOutputTokens: 100 } },
};
export const receivedHello = receivedBodies('Hello');

/** A response with only text, of each vendor. */
export const textAnswer = (words: string): VendorAnswers => ({
  chat: { message: { content: words }, finish: 'stop' },
  messages: { content: [{ type: 'text', text: words }], finish: 'end_turn' },
  responses: { output: [{ type: 'message', content: [{ type: 'output_text', text: words }] }] },
  google: { parts: [{ text: words }], finish: 'STOP' },
});
export const goodDay = textAnswer('Good day.');
