import type { JsonObject } from '../../../../core/api/index.ts';
import { type BodyEdit, readObjects, type UpstreamSide } from '../../../../core/api/codec.ts';
import { isFlagged } from './response.ts';
import { createTap } from './tap.ts';

/** Clients require `flagged`, which some vendors do not send. */
const addFlags = ({ results }: Readonly<JsonObject>): readonly BodyEdit[] => {
  const given = readObjects(results);
  if (given.every(({ flagged }) => flagged !== undefined)) return [];
  return [{ member: 'results', value: given.map((result) => ({ flagged: isFlagged(result), ...result })) }];
};

export const native: UpstreamSide<'moderate'>['native'] = (_inbound, _request, profile) => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: createTap,
  addToResponse: addFlags,
});
