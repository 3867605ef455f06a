import type { JsonObject, MediaPart, Part } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { writeAudioFormat, writeMediaUrl } from '../../media.ts';
import { placePart } from '../../../content-places.ts';
import { WIRE } from '../../shape.ts';

/** Where a part is written, and how its losses are reported. */
export interface PartContext {
  /** The path in loss reports: `messages[2]`. */
  readonly path: string;
  /** The wire of the client. Members in a dialect of this wire are written back for a client of this wire only. */
  readonly wire: string;
  readonly lose: Lose;
  /** The parts of the turn or result. */
  readonly parts?: readonly Part[];
}

const encodeFile = (part: MediaPart, context: PartContext): JsonObject => {
  const { media, name } = part;
  if ('fileId' in media) return { type: 'file', file: { file_id: media.fileId } };
  if ('base64' in media)
    return { type: 'file', file: omitUndefined({ filename: name, file_data: writeMediaUrl(media) }) };
  if (context.wire === WIRE) return { type: 'file', file: omitUndefined({ filename: name, file_data: media.url }) };
  context.lose(
    placePart(part, context),
    'approximated',
    'chat-completions has no documents by URL: the URL is sent as text',
  );
  return { type: 'text', text: `[document: ${media.url}]` };
};

/** Image, audio or file. */
export function encodeMedia(part: MediaPart, context: PartContext): JsonObject {
  const { media, detail } = part;
  const url = writeMediaUrl(media);
  if (url !== undefined && media.mediaType.startsWith('image/'))
    return { type: 'image_url', image_url: omitUndefined({ url, detail }) };
  if ('base64' in media && media.mediaType.startsWith('audio/'))
    return { type: 'input_audio', input_audio: { data: media.base64, format: writeAudioFormat(media.mediaType) } };
  return encodeFile(part, context);
}
