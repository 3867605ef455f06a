import type { Capabilities, JsonObject } from '../../../core/api/index.ts';
import { readList, type TurnPlace, type WireTraits } from '../../../core/api/codec.ts';

/** Only text goes in, and only text comes out. */
export const limits: Capabilities = {
  efforts: [],
  thinking: 'none',
  json: false,
  schema: false,
  vision: false,
  documents: false,
  audio: false,
  video: false,
  maxTemperature: 2,
};

/** The places of the turns that `client/request.ts` decodes: one for each prompt. */
const places = ({ prompt }: Readonly<JsonObject>): readonly TurnPlace[] =>
  typeof prompt === 'string'
    ? [{ turn: 'prompt', parts: ['prompt'] }]
    : readList(prompt).map((_, index) => ({ turn: `prompt[${index}]`, parts: [`prompt[${index}]`] }));

/** The other field names are the default ones of the core. */
export const traits: WireTraits = { places, fieldNames: { conversation: 'prompt', parts: 'prompt' } };
