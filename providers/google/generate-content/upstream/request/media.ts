import { type Lose, type MediaPart, omitUndefined } from '../../../../../core/index.ts';
import { WIRE, type WirePart } from '../../shape.ts';

/** A kind without its subtype says nothing here: the vendor finds the type out. */
const mimeTypeOf = ({ mediaType }: MediaPart['media']): string | undefined =>
  mediaType === '' || mediaType.includes('*') ? undefined : mediaType;

const inlineType = ({ media }: MediaPart): string =>
  media.mediaType === 'image/jpg' ? 'image/jpeg' : (mimeTypeOf(media) ?? 'application/octet-stream');

/** Where a medium is written: only a client of this wire means a name as the wire does. */
export interface MediaPlace {
  readonly path: string;
  readonly wire: string;
  readonly lose: Lose;
}

/** Bytes stand in the part, everything else is an address: https://ai.google.dev/api/caching#FileData */
export function encodeMedia(part: MediaPart, { path, wire, lose }: MediaPlace): WirePart {
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
