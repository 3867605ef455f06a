import type { UpstreamSide } from '../../../../core/api/codec.ts';
import { createTap } from './tap.ts';

/** The client's bytes with the target's name of the model. */
export const native: UpstreamSide<'count-tokens'>['native'] = (_inbound, _request, profile) => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: createTap,
});
