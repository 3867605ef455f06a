import type { Content, GenerateContentResponse, Part } from '@google/genai';
import { createGoogleClient } from '../matrix/clients/client-google.ts';
import { senders } from '../matrix/clients/clients.ts';
import type { Json, Mode, Wire } from '../matrix/wires.ts';

/** The result of a call. */
export interface Result {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}
/** The next turn of the client. */
export type Input = string | readonly Result[];

/** A conversation through an SDK: what the SDK returned is sent back. It can continue with another model. */
export interface Conversation {
  /** @returns the text of the response */
  say(model: string, input: Input): Promise<string>;
}

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const names = ['get_weather', 'get_time'] as const;

/** For the three SDKs whose users keep the history. */
type Listed = Exclude<Wire, 'google'>;
const bodies: Readonly<Record<Listed, (turns: readonly Json[]) => Json>> = {
  chat: (messages) => ({
    messages,
    max_completion_tokens: 4_000,
    reasoning_effort: 'high',
    tools: names.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
  }),
  messages: (messages) => ({
    messages,
    max_tokens: 4_000,
    thinking: { type: 'enabled', budget_tokens: 2_400 },
    tools: names.map((name) => ({ name, input_schema: schema })),
  }),
  responses: (input) => ({
    input,
    max_output_tokens: 4_000,
    reasoning: { effort: 'high', summary: 'auto' },
    store: false,
    include: ['reasoning.encrypted_content'],
    tools: names.map((name) => ({ type: 'function', name, parameters: schema, strict: false })),
  }),
};
const inputs: Readonly<Record<Listed, (input: Input) => readonly Json[]>> = {
  chat: (input) =>
    typeof input === 'string'
      ? [{ role: 'user', content: input }]
      : input.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
  messages: (input) => [
    {
      role: 'user',
      content:
        typeof input === 'string'
          ? input
          : input.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
    },
  ],
  responses: (input) =>
    typeof input === 'string'
      ? [{ type: 'message', role: 'user', content: input }]
      : input.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text })),
};

const startListed = (client: Listed, url: string, mode: Mode): Conversation => {
  const turns: Json[] = [];
  return {
    say: async (model, input) => {
      turns.push(...inputs[client](input));
      const { text, turn } = await senders[client](url, { ...bodies[client](turns), model }, mode);
      turns.push(...turn);
      return text;
    },
  };
};

/** What a client of Google's wire does differently. */
export interface GoogleHabits {
  /** Whether it wants to see thoughts. */
  readonly show?: boolean;
  /** What it sends back of the history. */
  readonly keep?: (contents: Content[]) => Content[];
}

/** As Gemini CLI does: thoughts are left out, with their signatures. */
export const leaveOutThoughts = (contents: readonly Content[]): Content[] =>
  contents
    .map((content) => ({ ...content, parts: content.parts?.filter(({ thought }) => thought !== true) ?? [] }))
    .filter(({ parts }) => parts.length > 0);

const settings = {
  maxOutputTokens: 4_000,
  thinkingConfig: { thinkingBudget: 2_400 },
  tools: [{ functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: schema })) }],
};
const messageOf = (input: Input): Part[] =>
  typeof input === 'string'
    ? [{ text: input }]
    : input.map(({ id, name, text }) => ({ functionResponse: { id, name, response: { output: text } } }));
const wordsOf = (chunks: readonly GenerateContentResponse[]): string =>
  chunks
    .flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    .map(({ text, thought }) => (thought === true ? '' : (text ?? '')))
    .join('');

/** Google's SDK has a helper that keeps the history, and only turns that it considers valid. */
const startGoogle = (
  url: string,
  mode: Mode,
  { show = true, keep = (contents) => contents }: GoogleHabits = {},
): Conversation => {
  const { chats } = createGoogleClient(url);
  const { thinkingConfig, ...others } = settings;
  const config = { ...others, thinkingConfig: { ...thinkingConfig, includeThoughts: show } };
  let history: Content[] = [];
  return {
    say: async (model, input) => {
      const chat = chats.create({ model, config, history });
      const message = messageOf(input);
      const chunks =
        mode === 'plain'
          ? [await chat.sendMessage({ message })]
          : await Array.fromAsync(await chat.sendMessageStream({ message }));
      history = keep(chat.getHistory(true));
      return wordsOf(chunks);
    },
  };
};

export const startConversation = (client: Wire, url: string, mode: Mode, habits?: GoogleHabits): Conversation =>
  client === 'google' ? startGoogle(url, mode, habits) : startListed(client, url, mode);
