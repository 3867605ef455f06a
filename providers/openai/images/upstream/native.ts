import type { UpstreamSide } from '../../../../core/api/codec.ts';
import { ImageTap } from './tap.ts';

/** The client's bytes with the target's name of the model. */
export const native: UpstreamSide<'image'>['native'] = (_inbound, { count }, profile) => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: () => new ImageTap(count),
});
