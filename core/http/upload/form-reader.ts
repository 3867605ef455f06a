import { Dicer } from '@fastify/busboy';
import { imageLimits } from '../../canonical/images.ts';
import type { FileKind } from '../../canonical/operation/upload.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { readPartHeader, type PartHeader } from './part-header.ts';
import type { Spool } from './spool.ts';

/** More than any wire has. */
const MAX_PARTS = 64;
const MAX_HEADER_BYTES = 8_192;
const MAX_HEADERS = 16;
const MAX_TEXT_BYTES = 65_536;
const MAX_TEXTS_BYTES = 262_144;

type Header = Readonly<Record<string, readonly string[]>>;
type Chunk = IteratorResult<Buffer, unknown>;
type Chunks = AsyncIterator<Buffer, unknown>;
type Part = Dicer.PartStream & { header?: Header };

/** Smaller ones can be those of the parser, or of Node's pool. */
const RELEASED_BYTES = 4_096;

/**
 * Frees a chunk that is on disk. V8 would collect tens of megabytes of chunks at once, and the process would keep that
 * memory. A chunk that is a part of what arrived stays: the rest of it can still be waiting.
 */
const release = ({ buffer, byteLength }: Buffer): void => {
  if (byteLength >= RELEASED_BYTES && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
};

/** A file of the form: where its bytes are. */
export interface StoredFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly filename: string;
  readonly start: number;
  readonly length: number;
}

/** What a form holds, in the order of its parts. */
export interface ReadForm {
  /** Texts by name. Names that end with `[]` have lists. */
  readonly texts: ReadonlyMap<string, string | readonly string[]>;
  readonly files: readonly StoredFile[];
}

const refuseParts = (): never => {
  throw invalidRequest('', `The form has more than ${MAX_PARTS} parts.`);
};

const brokenForm = (): GatewayError =>
  invalidRequest('', 'The form is broken: it ends before its last boundary, or has no part.');

/**
 * Reads a multipart form as its bytes arrive: texts into memory, files into the spool. Bytes are taken only as fast as
 * the spool is written.
 */
export class FormReader {
  readonly #parser: Dicer;
  readonly #spool: Spool;
  readonly #kinds: Readonly<Record<string, FileKind>>;
  readonly #texts = new Map<string, string | string[]>();
  readonly #files: StoredFile[] = [];
  readonly #fail: (error: unknown) => void;
  readonly #finished = Promise.withResolvers<void>();
  /** Resolves the write in progress. */
  #taken: (() => void) | undefined;
  /** Parts are read one after the other. */
  #reading: Promise<void> = Promise.resolve();
  #parts = 0;
  #textBytes = 0;
  #imageBytes = 0;

  /** @param fail called once at most, in the place of the end: with a GatewayError 400, 413 or 503 */
  constructor(
    boundary: string,
    kinds: Readonly<Record<string, FileKind>>,
    spool: Spool,
    fail: (error: unknown) => void,
  ) {
    this.#kinds = kinds;
    this.#spool = spool;
    this.#fail = fail;
    // The types of the parser do not know the size. One chunk at a time: several would be copied into one.
    const settings = { boundary, maxHeaderPairs: MAX_HEADERS + 1, maxHeaderSize: MAX_HEADER_BYTES, partHwm: 1 };
    this.#parser = new Dicer(settings);
    this.#parser.on('part', this.#open);
    this.#parser.on('error', () => fail(brokenForm()));
    this.#parser.on('finish', () => {
      this.#finished.resolve();
      // The parser reports no end of a write whose bytes end the form and fill the buffer of a part.
      this.#taken?.();
    });
  }

  /** Resolves when the next bytes can be taken; never after a failure. */
  write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#taken = resolve;
      // After the last boundary the parser takes nothing: what follows is no part of the form.
      if (this.#parser.writable) this.#parser.write(chunk, () => resolve());
      else resolve();
    });
  }

  /** All bytes have arrived. Never resolves after a failure. */
  async end(): Promise<ReadForm> {
    if (this.#parser.writable) this.#parser.end();
    await this.#finished.promise;
    await this.#reading;
    return { texts: this.#texts, files: this.#files };
  }

  /** Drops what is being read. */
  destroy(): void {
    this.#parser.destroy();
  }

  readonly #open = (part: Part): void => {
    part.on('header', (header) => {
      part.header = header as Header;
    });
    // The parser has an event of its own for a form that ends too early.
    part.on('error', () => {});
    this.#parts += 1;
    const isTooMany = this.#parts > MAX_PARTS;
    this.#reading = this.#reading
      .then(() => (isTooMany ? refuseParts() : this.#read(part)))
      .catch((thrown: unknown) => {
        this.#fail(thrown);
        return new Promise<never>(() => {});
      });
  };

  async #read(part: Part): Promise<void> {
    const chunks = part[Symbol.asyncIterator]() as Chunks;
    const first = await chunks.next();
    const { header = {} } = part;
    const bytes = Object.entries(header).reduce((sum, [name, values]) => sum + name.length + values.join('').length, 0);
    if (Object.values(header).flat().length > MAX_HEADERS || bytes >= MAX_HEADER_BYTES - 64)
      throw invalidRequest('', 'The form has a part whose headers are too long.');
    const head = readPartHeader(header);
    const kind = Object.hasOwn(this.#kinds, head.name) ? this.#kinds[head.name] : undefined;
    if ((kind === undefined) === (head.filename !== undefined)) throw refusePlace(head, kind !== undefined);
    this.#checkRepeated(head.name, kind !== undefined);
    await (kind === undefined ? this.#readText(chunks, first, head.name) : this.#readFile(chunks, first, head, kind));
  }

  #checkRepeated(name: string, isFile: boolean): void {
    const isRepeated = isFile ? this.#files.some((file) => file.name === name) : this.#texts.has(name);
    if (!isRepeated || name.endsWith('[]')) return;
    throw invalidRequest(name, `'${name}' is in the form twice.`);
  }

  async #readFile(chunks: Chunks, first: Chunk, { name, filename = '' }: PartHeader, kind: FileKind): Promise<void> {
    const start = this.#spool.length;
    for (let next = first; next.done !== true; next = await chunks.next()) {
      if (kind === 'image')
        this.#checkImage(name, this.#spool.length - start + next.value.byteLength, next.value.byteLength);
      await this.#spool.write(next.value);
      release(next.value);
    }
    this.#files.push({ name, kind, filename, start, length: this.#spool.length - start });
  }

  /** @param length of the image so far @param added since the last check */
  #checkImage(name: string, length: number, added: number): void {
    this.#imageBytes += added;
    const { each, total } = imageLimits;
    if (length > each)
      throw invalidRequest(name, `'${name}' is larger than ${each} bytes (5 MB), the most of an image.`);
    if (this.#imageBytes > total)
      throw invalidRequest(
        name,
        `The images up to '${name}' are larger than ${total} bytes (12 MB), the most of a form.`,
      );
  }

  async #readText(chunks: Chunks, first: Chunk, name: string): Promise<void> {
    const read: Buffer[] = [];
    let length = 0;
    for (let next = first; next.done !== true; next = await chunks.next()) {
      const chunk = next.value;
      length += chunk.byteLength;
      this.#textBytes += chunk.byteLength;
      if (length > MAX_TEXT_BYTES || this.#textBytes > MAX_TEXTS_BYTES)
        throw new GatewayError(
          'request_too_large',
          `'${name}' is longer than ${MAX_TEXT_BYTES} bytes, the most of a text.`,
        );
      read.push(chunk);
    }
    const text = Buffer.concat(read).toString('utf8');
    const known = this.#texts.get(name);
    if (!name.endsWith('[]')) this.#texts.set(name, text);
    else if (Array.isArray(known)) known.push(text);
    else this.#texts.set(name, [text]);
  }
}

const refusePlace = ({ name }: PartHeader, isFile: boolean): GatewayError =>
  isFile
    ? invalidRequest(name, `'${name}' must be a file, with a file name: curl -F '${name}=@path'.`)
    : invalidRequest(name, `'${name}' must be a text, not a file.`);
