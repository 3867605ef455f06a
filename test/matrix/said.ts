import type { VendorAnswers } from './vendors.ts';
import { wires, type Json, type Wire } from './wires.ts';

type ByWire<T> = Readonly<Record<Wire, T>>;

/** The members of a body that hold a conversation and the cap that every request here has. */
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

/** A body as it goes over the wire. */
export const bodyOf = (wire: Wire, turns: readonly Json[], more: Json = {}): Json => bodies[wire](turns, more);

const text =
  (type: string) =>
  (words: string): Json => ({ type, text: words });

/** What the user said, as it is written into a request that was translated. */
export const said: ByWire<(...texts: readonly string[]) => Json> = {
  chat: (first = '', ...others) => ({
    role: 'user',
    content: others.length === 0 ? first : [first, ...others].map(text('text')),
  }),
  messages: (...texts) => ({ role: 'user', content: texts.map(text('text')) }),
  responses: (...texts) => ({ type: 'message', role: 'user', content: texts.map(text('input_text')) }),
  google: (...texts) => ({ role: 'user', parts: texts.map((words) => ({ text: words })) }),
};

/** What the model said in an earlier turn. */
export const answered: ByWire<(words: string) => Json> = {
  chat: (words) => ({ role: 'assistant', content: words }),
  messages: (words) => ({ role: 'assistant', content: [text('text')(words)] }),
  responses: (words) => ({ type: 'message', role: 'assistant', content: [text('output_text')(words)] }),
  google: (words) => ({ role: 'model', parts: [{ text: words }] }),
};

/** Translation does not widen retention: nothing is kept at the vendor. */
export const stateless = { store: false } as const;
/** Where nothing is kept, what is needed to go on with the reasoning has to be in the answer. */
export const openReasoning = { store: false, include: ['reasoning.encrypted_content'] } as const;

const forAll = <T>(make: (wire: Wire) => T): ByWire<T> =>
  Object.fromEntries(wires.map((wire) => [wire, make(wire)])) as ByWire<T>;

/** The same words of the user in the body of each wire, and `more` members in those that are named. */
export const ask = (words: string, more: Partial<ByWire<Json>> = {}): ByWire<Json> =>
  forAll((wire) => bodyOf(wire, [said[wire](words)], more[wire]));
/** The same as a translated request has it. */
export const asked = (words: string, more: Partial<ByWire<Json>> = {}): ByWire<Json> =>
  ask(words, { ...more, responses: { ...stateless, ...more.responses } });

/** The smallest request of each wire, in its shortest words. */
export const hello: ByWire<Json> = {
  chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
  responses: { max_output_tokens: 100, input: 'Hello' },
  google: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], generationConfig: { maxOutputTokens: 100 } },
};
export const receivedHello = asked('Hello');

/** The plainest answer of each vendor. */
export const answer = (words: string): VendorAnswers => ({
  chat: { message: { content: words }, finish: 'stop' },
  messages: { content: [{ type: 'text', text: words }], finish: 'end_turn' },
  responses: { output: [{ type: 'message', content: [{ type: 'output_text', text: words }] }] },
  google: { parts: [{ text: words }], finish: 'STOP' },
});
export const goodDay = answer('Good day.');
