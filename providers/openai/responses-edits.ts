import type { BodyEdit, JsonObject } from '../../core/index.ts';
import { neverReasons } from './models.ts';
import { ENCRYPTED_REASONING } from './responses/shape.ts';

/** Models that do not reason refuse to be asked for the proofs of their reasoning; there are none that could be lost. */
const editInclude = ({ include }: Readonly<JsonObject>): readonly BodyEdit[] => {
  if (!Array.isArray(include) || !include.includes(ENCRYPTED_REASONING)) return [];
  const others = include.filter((wish) => wish !== ENCRYPTED_REASONING);
  return [{ member: 'include', value: others.length === 0 ? undefined : others }];
};

const none: readonly BodyEdit[] = [];

/** The deviations of OpenAI's models from the responses wire: on both lanes, after everything else. */
export const createResponsesEdits = (model: string): ((body: Readonly<JsonObject>) => readonly BodyEdit[]) =>
  neverReasons(model) ? editInclude : () => none;
