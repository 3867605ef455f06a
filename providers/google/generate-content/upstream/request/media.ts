import type { MediaPart } from '../../../../../core/api/index.ts';
import { type Lose, omitUndefined } from '../../../../../core/api/codec.ts';
import { WIRE, type WirePart } from '../../shape.ts';

/** A wildcard type is omitted: the vendor detects the type. */
const mimeTypeOf = ({ mediaType }: MediaPart['media']): string | undefined =>
  mediaType === '' || mediaType.includes('*') ? undefined : mediaType;

const inlineType = ({ media }: MediaPart): string =>
  media.mediaType === 'image/jpg' ? 'image/jpeg' : (mimeTypeOf(media) ?? 'application/octet-stream');

/** The context of a media part. Only clients of this wire send a display name. */
export interface MediaContext {
  readonly path: string;
  readonly wire: string;
  readonly lose: Lose;
}

/** Encodes bytes inline, and URLs and file ids by reference: https://ai.google.dev/api/caching#FileData */
export function encodeMedia(part: MediaPart, { path, wire, lose }: MediaContext): WirePart {
  const { media, name, detail } = part;
  const displayName = wire === WIRE ? name : undefined;
  if (detail !== undefined && detail !== 'auto')
    lose(`${path}.detail`, 'dropped', 'generate-content has no resolution hint for one part');
  if (name !== displayName) lose(`${path}.name`, 'dropped', 'generate-content has no file names');
  if ('base64' in media)
    return { inlineData: omitUndefined({ mimeType: inlineType(part), data: media.base64, displayName }) };
  return {
    fileData: omitUndefined({
      mimeType: mimeTypeOf(media),
      fileUri: 'url' in media ? media.url : media.fileId,
      displayName,
    }),
  };
}
