import { defaultModels, wireNames, wires, type Json, type Models, type Wire } from './wires.ts';

/** OpenAI has two of the wires: its targets are pinned to one. */
const providerOf: Readonly<Record<Wire, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  responses: 'openai',
  google: 'google',
};

/** The catalog name of a vendor's model over this wire. */
export const idOf = (wire: Wire, model = defaultModels[wire]): string =>
  `${providerOf[wire]}/${model}${wire === 'responses' ? '-responses' : ''}`;

const entryOf = (wire: Wire, model: string): Json => ({
  wires: [...wires.map((client) => wireNames[client]), 'interactions'],
  targets: [{ provider: providerOf[wire], model, wire: wireNames[wire] }],
  // The Gemini API refuses log probabilities, and Vertex AI, which has the same wire, gives them.
  ...(wire === 'google' ? { capabilities: { logprobs: true } } : {}),
});

/**
 * Settings of a gateway whose models are open to every client and called over one wire each, with all vendors on one
 * scripted upstream.
 */
export const settingsAt = (url: string, models: readonly Models[] = [defaultModels]): Json => ({
  providers: {
    openai: { use: 'openai', config: { apiKey: 'upstream-secret-openai', baseUrl: `${url}/v1` } },
    anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret-anthropic', baseUrl: url } },
    google: { use: 'google', config: { apiKey: 'upstream-secret-google', baseUrl: url } },
  },
  models: Object.fromEntries(
    models.flatMap((names) => wires.map((wire) => [idOf(wire, names[wire]), entryOf(wire, names[wire])])),
  ),
});
