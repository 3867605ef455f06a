/**
 * Short names of the wires: `chat` is chat-completions, `google` generate-content. They name both the client's and the
 * upstream's side.
 */
export const wires = ['chat', 'messages', 'responses', 'google'] as const;
export type Wire = (typeof wires)[number];

/** Their names in configurations and logs. */
export const wireNames: Readonly<Record<Wire, string>> = {
  chat: 'chat-completions',
  messages: 'messages',
  responses: 'responses',
  google: 'generate-content',
};

/** `client>upstream`. */
export type Pair = `${Wire}>${Wire}`;
export const pairOf = (client: Wire, upstream: Wire): Pair => `${client}>${upstream}`;

export const modes = ['plain', 'streamed'] as const;
export type Mode = (typeof modes)[number];

/** A body or a part of one. */
export type Json = Readonly<Record<string, unknown>>;

/** Tokens, in disjoint parts; `output` includes `reasoning`. */
export interface Tokens {
  readonly fresh: number;
  readonly read: number;
  readonly write: number;
  readonly output: number;
  readonly reasoning: number;
}
export const someTokens: Tokens = { fresh: 12, read: 0, write: 0, output: 7, reasoning: 0 };

/** One for each wire. */
export type Models = Readonly<Record<Wire, string>>;
export const defaultModels: Models = {
  chat: 'gpt-4.1',
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-4.1',
  google: 'gemini-2.5-flash',
};
