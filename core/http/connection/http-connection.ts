import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FormRules } from '../../canonical/operation/upload.ts';
import type { BodyMeter, ClientConnection, ReceivedForm, UploadHold } from '../../exchange/client-connection.ts';
import type { BodyReaders } from '../upload/body-readers.ts';
import { closeUnread } from './graceful-close.ts';
import { keepSendable } from '../response/sendable-headers.ts';

/** Resolves when the socket can be written again, or has everything, or is closed. */
const eventOf = async (res: ServerResponse, event: 'drain' | 'finish'): Promise<void> => {
  const stop = new AbortController();
  await Promise.race([once(res, event, { signal: stop.signal }), once(res, 'close', { signal: stop.signal })]).catch(
    () => {},
  );
  stop.abort();
};

/** Above this length, copying costs more than the system call that it saves. */
const COPY_BYTES = 65_536;

/** Short buffers as latin1 strings, which encode to the same bytes. */
const latin1Of = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** Node sends the headers together with a first string, but separately from a first buffer. */
const writeBytes = (res: ServerResponse, bytes: string | Uint8Array): boolean => {
  if (typeof bytes === 'string' || bytes.byteLength > COPY_BYTES) return res.write(bytes);
  return res.write(latin1Of(bytes), 'latin1');
};

/** Ends the response with these bytes, in one system call. */
const endWith = (res: ServerResponse, bytes: string | Uint8Array): unknown => {
  if (typeof bytes === 'string' || bytes.byteLength > COPY_BYTES) return res.end(bytes);
  return res.end(latin1Of(bytes), 'latin1');
};

/** One request and its response, without Koa. Each write is one chunk of whole frames. */
export class HttpConnection implements ClientConnection {
  /** For an immediate: without a closure for each response. */
  static readonly #finish = (connection: HttpConnection): void => connection.#endNow();

  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #readers: BodyReaders;
  #sent = 0;
  /** Status and headers, until the first byte is written: until then, a drain can end the connection's keep-alive. */
  #head: readonly [status: number, headers: Readonly<Record<string, string>>] | undefined;
  #last: string | Uint8Array | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, readers: BodyReaders) {
    this.#req = req;
    this.#res = res;
    this.#readers = readers;
  }

  get begun(): boolean {
    return this.#head !== undefined || this.#res.headersSent;
  }

  get sent(): number {
    return this.#sent;
  }

  readBody(meter?: BodyMeter): Promise<Uint8Array> {
    return this.#readers.readBody(this.#req, this.#res, meter);
  }

  readForm(rules: FormRules, hold: UploadHold, meter?: BodyMeter): Promise<ReceivedForm> {
    return this.#readers.readForm(this.#req, this.#res, rules, hold, meter);
  }

  begin(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.#isGone || this.begun) return;
    if (status === 401) closeUnread(this.#req, this.#res);
    this.#head = [status, headers];
  }

  write(bytes: string | Uint8Array): Promise<void> | undefined {
    if (this.#isGone) return undefined;
    this.#writeHead();
    if (this.#last !== undefined) writeBytes(this.#res, this.#last);
    this.#last = undefined;
    this.#sent += typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.byteLength;
    return writeBytes(this.#res, bytes) ? undefined : eventOf(this.#res, 'drain');
  }

  last(bytes: string | Uint8Array): void {
    if (this.#isGone) return;
    if (this.#last !== undefined) void this.write('');
    this.#last = bytes;
    this.#sent += typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.byteLength;
  }

  end(): Promise<void> | undefined {
    if (this.#isGone) return undefined;
    setImmediate(HttpConnection.#finish, this);
    const last = this.#last;
    return last !== undefined && last.length > COPY_BYTES ? eventOf(this.#res, 'finish') : undefined;
  }

  get hasTrailers(): boolean {
    return this.#res.useChunkedEncodingByDefault;
  }

  trail(headers: Readonly<Record<string, string>>): void {
    if (!this.#isGone) this.#res.addTrailers(headers);
  }

  cut(): void {
    this.#res.destroy();
  }

  #writeHead(): void {
    if (this.#head === undefined) return;
    const [status, headers] = this.#head;
    this.#head = undefined;
    try {
      this.#res.writeHead(status, headers);
    } catch {
      this.#res.writeHead(status, keepSendable(headers));
    }
  }

  #endNow(): void {
    const last = this.#last;
    if (this.#isGone) return;
    this.#writeHead();
    if (last === undefined) this.#res.end();
    else endWith(this.#res, last);
  }

  get #isGone(): boolean {
    return this.#res.destroyed || this.#res.writableEnded;
  }
}
