import type { ImageRequest } from '../../../../core/api/index.ts';
import type { InboundRequest, NativePlan, TargetProfile } from '../../../../core/api/codec.ts';
import { ImageTap } from './tap.ts';

/** The client's bytes with the target's name of the model. */
export const native = (_inbound: InboundRequest, { count }: ImageRequest, profile: TargetProfile): NativePlan => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: () => new ImageTap(count),
});
