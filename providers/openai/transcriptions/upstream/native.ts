import type { UpstreamSide } from '../../../../core/api/codec.ts';
import { PLAIN_TEXT, textFormats } from '../shape.ts';
import { TranscriptTap } from './tap.ts';

export const native: UpstreamSide<'transcribe'>['native'] = (_inbound, request, profile) => ({
  edits: [{ member: 'model', value: profile.model }],
  headers: {},
  ...(!request.stream && textFormats.includes(request.format ?? '') ? { contentType: PLAIN_TEXT } : {}),
  tap: () => new TranscriptTap(request),
});
