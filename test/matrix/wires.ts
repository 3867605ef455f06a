/** The two wires of the matrix: `chat` is chat-completions. The same word names the client's side and the upstream's. */
export type Wire = 'chat' | 'messages';
export const wires: readonly Wire[] = ['chat', 'messages'];

/** `client>upstream`. */
export type Pair = `${Wire}>${Wire}`;
export const pairOf = (client: Wire, upstream: Wire): Pair => `${client}>${upstream}`;

export const modes = ['plain', 'streamed'] as const;
export type Mode = (typeof modes)[number];

/** A body or a piece of one. */
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

/** Both vendors, on one scripted upstream. */
export const providersAt = (url: string): Json => ({
  openai: { use: 'openai', config: { apiKey: 'upstream-secret-openai', baseUrl: `${url}/v1` } },
  anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret-anthropic', baseUrl: url } },
});
export const providerOf: Readonly<Record<Wire, string>> = { chat: 'openai', messages: 'anthropic' };

/** A catalog that names each vendor model as `<provider>/<model>`. */
export const catalogOf = (models: readonly { readonly [W in Wire]: string }[]): Json =>
  Object.fromEntries(models.flatMap((pair) => wires.map((wire) => [`${providerOf[wire]}/${pair[wire]}`, { targets: [{ provider: providerOf[wire], model: pair[wire] }] }])));
