import type { TranscribeRequest } from '../../../../core/api/index.ts';
import type { InboundRequest, NativePlan, TargetProfile } from '../../../../core/api/codec.ts';
import { PLAIN_TEXT, textFormats } from '../shape.ts';
import { TranscriptTap } from './tap.ts';

/** The client's form with the target's name of the model. */
export const native = (_inbound: InboundRequest, request: TranscribeRequest, profile: TargetProfile): NativePlan => {
  const { stream, format } = request;
  return {
    edits: [{ member: 'model', value: profile.model }],
    headers: {},
    ...(!stream && format !== undefined && textFormats.includes(format) ? { contentType: PLAIN_TEXT } : {}),
    tap: () => new TranscriptTap(request),
  };
};
