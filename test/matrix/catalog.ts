import { builtIns } from '../e2e/gateway.ts';
import { defaultModels, wireNames, wires, type Json, type Models, type Wire } from './wires.ts';

/** OpenAI speaks two of the wires: its targets are pinned to one. */
const providerOf: Readonly<Record<Wire, string>> = { chat: 'openai', messages: 'anthropic', responses: 'openai', google: 'google' };

const codecs = Object.values(builtIns.provider ?? {}).flatMap((provider) => provider.codecs ?? []);
/** Is there a provider that speaks this wire, and a codec for both its sides? */
export const isSpoken = (wire: Wire): boolean =>
  Object.hasOwn(builtIns.provider ?? {}, providerOf[wire]) && codecs.some((codec) => codec.wire === wireNames[wire] && codec.client !== undefined && codec.upstream !== undefined);
const spoken = wires.filter(isSpoken);

/** The catalog's name of a vendor's model that is reached over this wire. */
export const idOf = (wire: Wire, model = defaultModels[wire]): string => `${providerOf[wire]}/${model}${wire === 'responses' ? '-responses' : ''}`;

/** All vendors, on one scripted upstream. */
const providersAt = (url: string): Json =>
  Object.fromEntries(
    Object.entries({
      openai: { use: 'openai', config: { apiKey: 'upstream-secret-openai', baseUrl: `${url}/v1` } },
      anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret-anthropic', baseUrl: url } },
      google: { use: 'google', config: { apiKey: 'upstream-secret-google', baseUrl: url } },
    }).filter(([name]) => Object.hasOwn(builtIns.provider ?? {}, name)),
  );

const entryOf = (wire: Wire, model: string): Json => ({
  wires: spoken.map((client) => wireNames[client]),
  targets: [{ provider: providerOf[wire], model, wire: wireNames[wire] }],
});
const catalogOf = (models: readonly Models[]): Json =>
  Object.fromEntries(models.flatMap((names) => spoken.map((wire) => [idOf(wire, names[wire]), entryOf(wire, names[wire])])));

/** What a gateway needs whose every model is open to every client and reached over one wire. */
export const settingsAt = (url: string, models: readonly Models[] = [defaultModels]): Json => ({
  providers: providersAt(url),
  models: catalogOf(models),
});
