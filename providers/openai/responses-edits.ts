import type { JsonObject } from '../../core/api/index.ts';
import type { BodyEdit } from '../../core/api/codec.ts';
import { neverReasons } from './models.ts';
import { ENCRYPTED_REASONING } from './responses/shape.ts';

/** Models that do not reason refuse a request for proofs of reasoning. They have none, so nothing is lost. */
const editInclude = ({ include }: Readonly<JsonObject>): readonly BodyEdit[] => {
  if (!Array.isArray(include) || !include.includes(ENCRYPTED_REASONING)) return [];
  const others = include.filter((name) => name !== ENCRYPTED_REASONING);
  return [{ member: 'include', value: others.length === 0 ? undefined : others }];
};

const none: readonly BodyEdit[] = [];

/** How OpenAI's models differ from the responses wire: applied on both lanes, after all other edits. */
export const createResponsesEdits = (model: string): ((body: Readonly<JsonObject>) => readonly BodyEdit[]) =>
  neverReasons(model) ? editInclude : () => none;
