import type { UpstreamSide } from '../../../../core/api/codec.ts';
import { createTap } from './tap.ts';

export const native: UpstreamSide<'count-tokens'>['native'] = (_inbound, _request, profile) => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: createTap,
});
