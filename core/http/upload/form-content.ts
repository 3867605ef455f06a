import { randomUUID } from 'node:crypto';
import { readObject, readText } from '../../canonical/json/read.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { LoadedFile, Upload, UploadContent } from '../../canonical/operation/upload.ts';
import type { BodyMeter } from '../../exchange/client-connection.ts';
import type { StoredFile } from './form-reader.ts';
import type { Spool } from './spool.ts';

type Piece = Uint8Array | StoredFile;

/** A file whose first bytes have been checked. */
export interface TypedFile extends StoredFile {
  readonly type: string;
}
/** The files of a form by their fields. */
type Files = ReadonlyMap<string, readonly TypedFile[]>;

/** As browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const quote = (text: string): string =>
  `"${text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

const writeText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The form as it is sent to a vendor, with a boundary of its own: the vendor reads what the gateway has read. */
class FormContent implements UploadContent {
  readonly contentType: string;
  readonly length: number;
  readonly #pieces: readonly Piece[];
  readonly #spool: Spool;

  constructor(members: Readonly<JsonObject>, files: Files, spool: Spool) {
    const boundary = `koine-${randomUUID()}`;
    const pieces: Piece[] = [];
    const open = (name: string, rest: string): void => {
      const head = `--${boundary}\r\ncontent-disposition: form-data; name=${quote(name)}${rest}\r\n\r\n`;
      pieces.push(Buffer.from(head));
    };
    for (const [name, value] of Object.entries(members)) {
      const own = files.get(name);
      if (own !== undefined && typeof value === 'object')
        for (const [index, file] of own.entries()) {
          // A filter can have changed the name.
          const filename = readText(readObject(Array.isArray(value) ? value[index] : value)['filename']);
          open(name, `; filename=${quote(filename || file.filename)}\r\ncontent-type: ${file.type}`);
          pieces.push(file, Buffer.from('\r\n'));
        }
      else
        for (const item of Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value]) {
          open(name, '');
          pieces.push(Buffer.from(`${writeText(item)}\r\n`));
        }
    }
    pieces.push(Buffer.from(`--${boundary}--\r\n`));
    this.contentType = `multipart/form-data; boundary=${boundary}`;
    this.length = pieces.reduce(
      (sum, piece) => sum + (piece instanceof Uint8Array ? piece.byteLength : piece.length),
      0,
    );
    this.#pieces = pieces;
    this.#spool = spool;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (const piece of this.#pieces) {
      if (piece instanceof Uint8Array) yield piece;
      else yield* this.#spool.read(piece.start, piece.length);
    }
  }
}

/** A form that was read. `close` ends its file. */
export class SpooledUpload implements Upload {
  readonly #files: Files;
  readonly #spool: Spool;
  readonly #meter: BodyMeter | undefined;
  /** Read once for all attempts. */
  readonly #loaded = new Map<string, Promise<readonly LoadedFile[]>>();

  /** @param meter counts what is read into memory */
  constructor(files: Files, spool: Spool, meter: BodyMeter | undefined) {
    this.#files = files;
    this.#spool = spool;
    this.#meter = meter;
  }

  write(members: Readonly<JsonObject>): UploadContent {
    return new FormContent(members, this.#files, this.#spool);
  }

  load(field: string): Promise<readonly LoadedFile[]> {
    const loaded = this.#loaded.get(field) ?? this.#load(field);
    this.#loaded.set(field, loaded);
    return loaded;
  }

  close(): Promise<void> {
    return this.#spool.close();
  }

  async #load(field: string): Promise<readonly LoadedFile[]> {
    const loaded: LoadedFile[] = [];
    for (const { type, start, length } of this.#files.get(field) ?? []) {
      this.#meter?.take(length);
      const bytes = await this.#spool.slice(start, length).read(0, length);
      loaded.push({ mediaType: type, base64: bytes.toString('base64') });
    }
    return loaded;
  }
}
