import type { JsonObject } from '../../../core/api/index.ts';
import type { BodyEdit, UpstreamSide } from '../../../core/api/codec.ts';
import { createTap } from './tap.ts';

/** Clients read `results`, which Voyage calls `data`. */
const addResults = ({ results, data }: Readonly<JsonObject>): readonly BodyEdit[] =>
  results === undefined && Array.isArray(data) ? [{ member: 'results', value: data }] : [];

export const native: UpstreamSide<'rerank'>['native'] = (_inbound, _request, profile) => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: createTap,
  addToResponse: addResults,
});
