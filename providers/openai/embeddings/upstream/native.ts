import type { EmbedRequest, InboundRequest, NativePlan, TargetProfile } from '../../../../core/index.ts';
import { createTap } from './tap.ts';

/** The client's bytes under the target's name of the model. */
export const native = (_inbound: InboundRequest, _request: EmbedRequest, { model }: TargetProfile): NativePlan => ({
  edits: [{ member: 'model', value: model }],
  headers: {},
  tap: createTap,
});
