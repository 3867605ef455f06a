import { isDeepStrictEqual } from 'node:util';
import type { Json, Wire } from '../matrix/wires.ts';
import { answersOf, type StepName } from './steps.ts';

/** A response in the history: the vendor's own, or another's, of which only the text may be left. */
export interface Given {
  readonly step: StepName;
  readonly by: Wire;
  /** The client leaves out its reasoning. No vendor requires it on a response without calls. */
  readonly withoutReasoning?: boolean;
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const pick = (value: Json, ...members: readonly string[]): Json =>
  Object.fromEntries(members.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]));

/**
 * Merges consecutive texts of one kind and drops empty ones without a signature: chat helpers return one content per
 * chunk.
 */
const joinTexts = (parts: readonly Json[]): readonly Json[] => {
  const joined: Json[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part['text'] !== 'string' || (part['text'] === '' && part['thoughtSignature'] === undefined)) {
      if (part['text'] === undefined) joined.push(part);
    } else if (
      typeof last?.['text'] === 'string' &&
      last['thought'] === part['thought'] &&
      last['thoughtSignature'] === undefined
    ) {
      joined.splice(-1, 1, { ...last, ...part, text: `${last['text']}${part['text']}` });
    } else joined.push(part);
  }
  return joined;
};

const ofModel = ({ role }: Json): boolean => role === 'model';
const runs = (contents: readonly Json[]): readonly (readonly Json[])[] => {
  const found: Json[][] = [];
  contents.forEach((content, index) => {
    if (!ofModel(content)) return;
    const previous = contents[index - 1];
    const parts = list(content['parts']);
    if (previous !== undefined && ofModel(previous)) found.at(-1)?.push(...parts);
    else found.push([...parts]);
  });
  return found.map(joinTexts);
};

const chatMessage = ({ content, tool_calls: calls, reasoning_details: details }: Json): Json => ({
  content: content === '' ? null : (content ?? null),
  calls: list(calls).map(({ id }) => id),
  proofs: list(details).map((one) => pick(one, 'type', 'text', 'signature', 'data')),
});

const item = (one: Json): Json => ({
  ...pick(one, 'type', 'summary', 'encrypted_content', 'call_id', 'name', 'arguments'),
  ...(one['type'] === 'message' ? { content: list(one['content']).map((part) => pick(part, 'type', 'text')) } : {}),
});
const isOfAssistant = ({ type, role }: Json): boolean =>
  type === 'reasoning' || type === 'function_call' || role === 'assistant';

/** A block without the members of responses that mean the same as none. */
const withoutDefaults = ({ citations, caller: _direct, ...block }: Json): Json =>
  list(citations).length === 0 ? block : { ...block, citations };

/** The assistant turns in a request of each wire. Only these are compared. */
const readHistory: Readonly<Record<Wire, (body: Json) => unknown>> = {
  chat: ({ messages }) =>
    list(messages)
      .filter(({ role }) => role === 'assistant')
      .map(chatMessage),
  messages: ({ messages }) =>
    list(messages)
      .filter(({ role }) => role === 'assistant')
      .map(({ content }) => (Array.isArray(content) ? list(content).map(withoutDefaults) : content)),
  responses: ({ input }) => list(input).filter(isOfAssistant).map(item),
  google: ({ contents }) => runs(list(contents)),
};

/** The content of a step without its reasoning. */
const wordsOf = (step: StepName): string => {
  const { message } = answersOf(step).chat;
  return message.content ?? '';
};

const isReasoning = ({ type }: { readonly type?: unknown }): boolean => /thinking|reasoning/.test(String(type));
const without = <T extends { readonly type?: unknown }>(reasoning: boolean | undefined, parts: readonly T[]) =>
  reasoning === true ? parts.filter((part) => !isReasoning(part)) : parts;

/** The history that a vendor requires: its own responses unchanged, the text of all others. */
const expectHistory: Readonly<Record<Wire, (given: readonly Given[]) => unknown>> = {
  chat: (given) =>
    given.map(({ step, by, withoutReasoning }) =>
      by === 'chat'
        ? { ...chatMessage({ ...answersOf(step).chat.message }), ...(withoutReasoning === true ? { proofs: [] } : {}) }
        : { content: wordsOf(step), calls: [], proofs: [] },
    ),
  messages: (given) =>
    given.map(({ step, by, withoutReasoning }) =>
      by === 'messages'
        ? without(withoutReasoning, answersOf(step).messages.content)
        : [{ type: 'text', text: wordsOf(step) }],
    ),
  responses: (given) =>
    given.flatMap(({ step, by, withoutReasoning }) =>
      by === 'responses'
        ? without(withoutReasoning, answersOf(step).responses.output).map(item)
        : [item({ type: 'message', content: [{ type: 'output_text', text: wordsOf(step) }] })],
    ),
  google: (given) =>
    given.map(({ step, by }) => joinTexts(by === 'google' ? answersOf(step).google.parts : [{ text: wordsOf(step) }])),
};

/** Whether thinking is still requested. Turning it off is one way to continue after a proof was lost. */
const thinks: Readonly<Record<Wire, (body: Json) => boolean>> = {
  chat: () => true,
  messages: ({ thinking }) => (thinking as Json | undefined)?.['type'] === 'enabled',
  responses: ({ include }) => list(include).length > 0,
  google: () => true,
};

/**
 * Google requires the signatures of calls and recommends those of texts:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const withoutTextSignatures = (runsOfParts: unknown): unknown =>
  list(runsOfParts).map((parts) =>
    list(parts).map(({ thoughtSignature: signature, ...part }) =>
      signature === undefined || 'text' in part ? part : { ...part, thoughtSignature: signature },
    ),
  );

/** Unsigned thoughts of other vendors are accepted by every vendor: they prove nothing. */
const isUnsigned = (one: Json): boolean =>
  (one['thought'] === true && one['thoughtSignature'] === undefined) ||
  (one['type'] === 'reasoning.text' && one['signature'] === undefined);
const withoutForeignThoughts = (history: unknown, given: readonly Given[], wire: Wire): unknown =>
  list(history).map((turn, index) => {
    if (given[index] === undefined || given[index].by === wire) return turn;
    if (Array.isArray(turn)) return (turn as readonly Json[]).filter((part) => !isUnsigned(part));
    return turn['proofs'] === undefined
      ? turn
      : { ...turn, proofs: list(turn['proofs']).filter((one) => !isUnsigned(one)) };
  });

/**
 * What the vendor rejects, if anything.
 * @param lenient the client's wire has no place for the signature of a text
 */
export const objectTo = (wire: Wire, body: Json, given: readonly Given[], lenient: boolean): string | undefined => {
  if (!thinks[wire](body)) return 'thinking was switched off';
  const read = wire === 'google' && lenient ? withoutTextSignatures : (history: unknown) => history;
  const found = read(withoutForeignThoughts(readHistory[wire](body), wire === 'responses' ? [] : given, wire));
  const expected = read(expectHistory[wire](given));
  return isDeepStrictEqual(found, expected)
    ? undefined
    : `expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`;
};

/** The error of each vendor. */
export const refusals: Readonly<Record<Wire, (message: string) => Json>> = {
  chat: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  messages: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  responses: (message) => ({
    error: { message, type: 'invalid_request_error', param: 'input', code: 'invalid_encrypted_content' },
  }),
  google: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};
