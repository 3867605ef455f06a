import type { JsonObject, RerankRequest } from '../../../core/api/index.ts';
import type { BodyEdit, InboundRequest, NativePlan, TargetProfile } from '../../../core/api/codec.ts';
import { createTap } from './tap.ts';

/** Clients read `results`, which Voyage calls `data`. */
const addResults = ({ results, data }: Readonly<JsonObject>): readonly BodyEdit[] =>
  results === undefined && Array.isArray(data) ? [{ member: 'results', value: data }] : [];

/** The client's bytes with the target's name of the model. */
export const native = (_inbound: InboundRequest, _request: RerankRequest, profile: TargetProfile): NativePlan => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: createTap,
  addToResponse: addResults,
});
