type Test = (bytes: Buffer) => boolean;

const starts =
  (signature: string, at = 0): Test =>
  (bytes) =>
    bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));
const riff =
  (form: string): Test =>
  (bytes) =>
    starts('RIFF')(bytes) && starts(form, 8)(bytes);
/** An MPEG frame of layer III: eleven bits set, then version and layer. */
const mpegFrame: Test = (bytes) => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2;

const signatures: readonly (readonly [mediaType: string, test: Test])[] = [
  ['image/png', starts('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', starts('\xff\xd8\xff')],
  ['image/gif', starts('GIF8')],
  ['image/webp', riff('WEBP')],
  ['application/pdf', starts('%PDF-')],
  ['audio/wav', riff('WAVE')],
  ['audio/mpeg', starts('ID3')],
  ['audio/mpeg', mpegFrame],
];

/** The longest signature. */
export const SIGNATURE_BYTES = 12;

/**
 * Determines the media type from the first bytes. The server's content-type is not trusted: it could declare a page as
 * an image.
 */
export const sniffMediaType = (bytes: Buffer): string | undefined => signatures.find(([, test]) => test(bytes))?.[0];
