import type { UpstreamSide } from '../../../../core/api/codec.ts';
import { ImageTap } from './tap.ts';

export const native: UpstreamSide<'image'>['native'] = (_inbound, { count }, profile) => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  tap: () => new ImageTap(count),
});
