import type { GenerateRequest } from '../../../../core/api/index.ts';
import type { InboundRequest, NativePlan, TargetProfile } from '../../../../core/api/codec.ts';
import { createTap } from './tap.ts';

/** The client's bytes with the target's name of the model. */
export const native = (_inbound: InboundRequest, _request: GenerateRequest, profile: TargetProfile): NativePlan => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: createTap,
});
