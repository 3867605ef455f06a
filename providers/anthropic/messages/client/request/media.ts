import { invalidRequest, type Media } from '../../../../../core/api/index.ts';
import { lookUp, parseDataUri, type Members } from '../../../../../core/api/codec.ts';

/** The wire has no media type for URLs and file ids, only the kind of block. */
const unknownType = { image: 'image/*', document: 'application/pdf' } as const;

/** Base64 as in RFC 4648: no line breaks, no URL-safe letters. */
const normaliseBase64 = (data: string): string =>
  /[\s\-_]/.test(data) ? data.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/') : data;
const normaliseMediaType = (mediaType: string): string =>
  mediaType.toLowerCase() === 'image/jpg' ? 'image/jpeg' : mediaType.toLowerCase();

type Kind = keyof typeof unknownType;
const readers: Readonly<Record<string, (source: Members, kind: Kind) => Media>> = {
  base64: (source) => ({
    mediaType: normaliseMediaType(source.requiredString('media_type')),
    base64: normaliseBase64(source.requiredString('data')),
  }),
  url: (source, kind) => {
    const url = source.requiredString('url');
    return parseDataUri(url) ?? { mediaType: unknownType[kind], url };
  },
  file: (source, kind) => ({ mediaType: unknownType[kind], fileId: source.requiredString('file_id') }),
  text: (source) => ({
    mediaType: source.string('media_type') ?? 'text/plain',
    base64: Buffer.from(source.requiredString('data'), 'utf8').toString('base64'),
  }),
};

/**
 * The source of an image or document block.
 * https://platform.claude.com/docs/en/build-with-claude/vision, …/pdf-support
 * @throws GatewayError 400 for a kind of source that the wire does not have
 */
export function decodeSource(source: Members, kind: Kind): Media {
  const type = source.requiredString('type');
  const read = kind === 'image' && type === 'text' ? undefined : lookUp(readers, type);
  if (read === undefined)
    throw invalidRequest(
      source.at('type'),
      `'${source.at('type')}' of ${kind === 'image' ? 'an image' : 'a document'} cannot be '${type}'.`,
    );
  return read(source, kind);
}
