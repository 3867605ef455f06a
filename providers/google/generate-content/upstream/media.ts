import type { Lose, MediaPart } from '../../../../core/index.ts';
import { selectPresent, type WirePart } from '../shape.ts';

/** A kind without its subtype says nothing here: the vendor finds the type out. */
const mimeTypeOf = ({ mediaType }: MediaPart['media']): string | undefined => (mediaType === '' || mediaType.includes('*') ? undefined : mediaType);

const inlineType = ({ media }: MediaPart): string => (media.mediaType === 'image/jpg' ? 'image/jpeg' : (mimeTypeOf(media) ?? 'application/octet-stream'));

/** Bytes stand in the part, everything else is an address: https://ai.google.dev/api/caching#FileData */
export const encodeMedia = (part: MediaPart, path: string, lose: Lose): WirePart => {
  const { media, name, detail } = part;
  if (detail !== undefined && detail !== 'auto') lose(`${path}.detail`, 'dropped', 'generate-content has no resolution hint for one part');
  if (name !== undefined) lose(`${path}.name`, 'dropped', 'generate-content has no file names');
  if ('base64' in media) return { inlineData: { mimeType: inlineType(part), data: media.base64 } };
  return { fileData: selectPresent({ mimeType: mimeTypeOf(media), fileUri: 'url' in media ? media.url : media.fileId }) };
};
