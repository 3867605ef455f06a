import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../canonical/wire.ts';
import type { FileKind, FormRules, UploadedFile } from '../../canonical/operation/upload.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import type { ByteSource } from '../../services/media/audio/byte-source.ts';
import { measureAudio } from '../../services/media/audio/measure.ts';
import { SIGNATURE_BYTES, sniffMediaType } from '../../services/media/media-type.ts';
import type { BodyMeter, ReceivedForm, UploadHold } from '../../exchange/client-connection.ts';
import { readStream, type BodyLimits } from '../request/body.ts';
import { SpooledUpload, type TypedFile } from './form-content.ts';
import { FormReader, type ReadForm, type StoredFile } from './form-reader.ts';
import { Spool } from './spool.ts';

/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1, without the characters that only quotes allow. */
const BOUNDARY =
  /^multipart\/form-data[ \t]*;[ \t]*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'+.-]{1,70}))[ \t]*(?:;[ \t]*charset=[\w-]+)?$/i;

/**
 * Reads a form. The caller closes the upload, which releases the hold.
 * @throws GatewayError 400, 408, 413, 415, 503, `client_closed`, and errors of the hold, which is released then
 */
export type ReadUpload = (
  req: IncomingMessage,
  res: ServerResponse,
  rules: FormRules,
  hold: UploadHold,
  meter?: BodyMeter,
) => Promise<ReceivedForm>;

/** @throws GatewayError 415, 400 */
function readBoundary({ headers }: IncomingMessage): string {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data/i.test(type))
    throw new GatewayError(
      'unsupported_media_type',
      'This path takes multipart/form-data, as the SDKs and curl -F send it.',
    );
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new GatewayError('unsupported_media_type', 'A form cannot be compressed; send it without content-encoding.');
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw invalidRequest('', 'The content-type has no valid boundary: it needs one of at most 70 letters and digits.');
  return boundary;
}

type Described = Pick<UploadedFile, 'type' | 'seconds'>;

/** What the first bytes of a file say of it; undefined: they are not those of the kind. */
const readers: Readonly<Record<FileKind, (file: ByteSource) => Promise<Described | undefined>>> = {
  audio: measureAudio,
  image: async (file) => {
    const type = sniffMediaType(await file.read(0, SIGNATURE_BYTES));
    return type?.startsWith('image/') === true ? { type } : undefined;
  },
};
const kindTexts: Readonly<Record<FileKind, string>> = {
  audio: 'audio by its first bytes. Send WAV, MP3, MP4 (m4a), Ogg, FLAC, WebM, or AAC.',
  image: 'an image by its first bytes. Send PNG, JPEG, WebP or GIF.',
};

/** @throws GatewayError 400 */
async function describeFile(spool: Spool, { name, kind, filename, start, length }: StoredFile): Promise<UploadedFile> {
  if (length === 0) throw invalidRequest(name, `'${name}' is empty.`);
  const described = await readers[kind](spool.slice(start, length));
  if (described === undefined) throw invalidRequest(name, `'${name}' is not ${kindTexts[kind]}`);
  return { filename, bytes: length, ...described };
}

/** The form as JSON: its texts, and what is known of its files, by their names. */
async function describe(form: ReadForm, spool: Spool, meter: BodyMeter | undefined): Promise<ReceivedForm> {
  const body: JsonObject = Object.fromEntries(form.texts);
  const files = new Map<string, TypedFile[]>();
  for (const file of form.files) {
    const { name } = file;
    const described = await describeFile(spool, file);
    const list = files.get(name) ?? [];
    list.push({ ...file, type: described.type });
    files.set(name, list);
    body[name] = name.endsWith('[]') ? [...((body[name] as UploadedFile[] | undefined) ?? []), described] : described;
  }
  return { raw: Buffer.from(JSON.stringify(body)), upload: new SpooledUpload(files, spool, meter) };
}

/** Reads forms. Their files are in a private temporary file, and never in memory as a whole. */
export const createFormReader =
  (limits: BodyLimits): ReadUpload =>
  async (req, res, { files }, hold, meter) => {
    let spool: Spool | undefined;
    try {
      const boundary = readBoundary(req);
      const announced = Number(req.headers['content-length'] ?? 0);
      // A longer form is refused by its length.
      const opened = (spool = await Spool.open(hold, announced > limits.limit ? 0 : announced));
      const form = await readStream(req, res, limits, (fail) => new FormReader(boundary, files, opened, fail));
      return await describe(form, opened, meter);
    } catch (thrown) {
      if (spool === undefined) hold.release();
      else await spool.close();
      throw thrown;
    }
  };
