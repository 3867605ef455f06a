import { defaultModels, wireNames, wires, type Json, type Models, type Wire } from './wires.ts';

/** OpenAI speaks two of the wires: its targets are pinned to one. */
const providerOf: Readonly<Record<Wire, string>> = {
  chat: 'openai',
  messages: 'anthropic',
  responses: 'openai',
  google: 'google',
};

/** The catalog's name of a vendor's model that is reached over this wire. */
export const idOf = (wire: Wire, model = defaultModels[wire]): string =>
  `${providerOf[wire]}/${model}${wire === 'responses' ? '-responses' : ''}`;

const entryOf = (wire: Wire, model: string): Json => ({
  wires: wires.map((client) => wireNames[client]),
  targets: [{ provider: providerOf[wire], model, wire: wireNames[wire] }],
});

/** What a gateway needs whose every model is open to every client and reached over one wire, all vendors on one scripted upstream. */
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
