import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { UploadHold } from '../../exchange/client-connection.ts';
import type { ByteSource } from '../../services/media/audio/byte-source.ts';

/** At least what a socket holds before it wants no more: then it has sent a chunk before it takes the next. */
const CHUNK_BYTES = 65_536;

/**
 * A private file without a name: it is unlinked before the first byte is written, so the system frees it when the
 * process ends, however it ends.
 */
export class Spool {
  readonly #file: FileHandle;
  readonly #hold: UploadHold;
  #length = 0;
  #counted: number;

  private constructor(file: FileHandle, hold: UploadHold, counted: number) {
    this.#file = file;
    this.#hold = hold;
    this.#counted = counted;
  }

  /**
   * @param hold counts what is written
   * @param announced bytes that are counted at once, so that a file for which there is no room is not received first
   * @throws GatewayError `service_unavailable` if the folder of temporary files cannot be written, errors of the hold
   */
  static async open(hold: UploadHold, announced: number): Promise<Spool> {
    hold.store(announced);
    const path = join(tmpdir(), `koine-${randomUUID()}`);
    try {
      const file = await open(path, 'wx+', 0o600);
      await unlink(path);
      return new Spool(file, hold, announced);
    } catch (thrown) {
      throw refuseDisk(thrown);
    }
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Appends bytes. Calls must not overlap.
   * @throws GatewayError `service_unavailable` if the disk is full; errors of the hold
   */
  async write(chunk: Uint8Array): Promise<void> {
    const missing = this.#length + chunk.byteLength - this.#counted;
    if (missing > 0) {
      this.#hold.store(missing);
      this.#counted += missing;
    }
    try {
      let written = 0;
      while (written < chunk.byteLength) {
        const { bytesWritten } = await this.#file.write(chunk, written, chunk.byteLength - written, this.#length);
        written += bytesWritten;
        this.#length += bytesWritten;
      }
    } catch (thrown) {
      throw refuseDisk(thrown);
    }
  }

  /** The bytes from `start` as a source of their own. */
  slice(start: number, length: number): ByteSource {
    return {
      length,
      read: async (at, count) => {
        const wanted = Math.max(0, Math.min(count, length - at));
        const bytes = Buffer.allocUnsafe(wanted);
        const { bytesRead } = await this.#file.read(bytes, 0, wanted, start + at);
        return bytes.subarray(0, bytesRead);
      },
    };
  }

  /** Reads the file again from `start`. Each chunk is read into the memory of the one before. */
  async *read(start: number, length: number): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, length));
    for (let at = 0; at < length; at += CHUNK_BYTES) {
      const { bytesRead } = await this.#file.read(bytes, 0, Math.min(CHUNK_BYTES, length - at), start + at);
      yield bytes.subarray(0, bytesRead);
    }
  }

  /** Reads in progress end first; later ones fail. */
  async close(): Promise<void> {
    try {
      await this.#file.close();
    } finally {
      this.#hold.release();
    }
  }
}

const refuseDisk = (cause: unknown): GatewayError =>
  new GatewayError('service_unavailable', 'The gateway has no room for files at present. Try again later.', { cause });
