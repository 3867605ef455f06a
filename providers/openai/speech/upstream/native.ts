import type { UpstreamSide } from '../../../../core/api/codec.ts';
import { typeOfFormat } from '../shape.ts';
import { SpeechTap } from './tap.ts';

/** The client's body with the target's name of the model. The response is a file, or a stream of events. */
export const native: UpstreamSide<'speak'>['native'] = (_inbound, request, { model }) => ({
  edits: [{ member: 'model', value: model }],
  headers: {},
  ...(request.stream ? {} : { file: 'audio' as const, contentType: typeOfFormat(request.format) }),
  tap: () => new SpeechTap(request.text),
});
