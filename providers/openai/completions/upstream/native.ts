import { readObject, type UpstreamSide } from '../../../../core/api/codec.ts';
import { editStreamOptions } from '../../chat-completions/upstream/native.ts';
import { createTap } from './tap.ts';

export const native: UpstreamSide<'generate'>['native'] = ({ body }, request, profile) => ({
  edits: [{ member: 'model', value: profile.model }, ...editStreamOptions(readObject(body), request, profile)],
  headers: {},
  tap: () => createTap(request, profile),
});
