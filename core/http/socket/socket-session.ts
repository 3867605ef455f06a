import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { sse } from '../../framing/sse.ts';
import type { SocketAnswer, SocketDialog, SocketTurn } from '../../contracts/framing.ts';
import type { WriteContext } from '../../contracts/codec-context.ts';

/** OpenAI ends a socket after this time: https://developers.openai.com/api/docs/guides/websocket-mode */
const LIFE_MS = 3_600_000;
/** A client that has not answered the last ping by the next one is gone. */
const PING_MS = 30_000;
/** Streams with a turn, and turns in all, at the same time. */
const MAX_STREAMS = 16;
const MAX_TURNS = 64;
/** Bytes that wait for the client, from which the response is read no further. */
const HIGH_WATER = 1_048_576;

/** Close codes: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const NORMAL = 1000;
const GOING_AWAY = 1001;
const UNSUPPORTED = 1003;
const POLICY = 1008;

export interface SessionParts {
  readonly socket: WebSocket;
  readonly dialog: SocketDialog;
  readonly context: Pick<WriteContext, 'now' | 'newId'>;
  /** The longest event of a response, in bytes. */
  readonly frameBytes: number;
  send(body: Uint8Array): ClientRequest;
  /**
   * Called when bytes are kept, or no longer.
   * @throws GatewayError if the key keeps too many; the session then drops what it can
   */
  count(bytes: number): void;
}

/** A turn that has not ended, and the bytes of its message. */
interface OpenTurn {
  readonly turn: SocketTurn;
  readonly bytes: number;
}

/** One WebSocket: each turn of its client is a request to this gateway, and each event of the response a message. */
export class SocketSession {
  readonly #parts: SessionParts;
  /** The turns of each stream; the first one is running. */
  readonly #streams = new Map<string, OpenTurn[]>();
  readonly #running = new Set<ClientRequest>();
  readonly #timers: readonly NodeJS.Timeout[];
  #turns = 0;
  #bytes = 0;
  #isAlive = true;
  #isExpired = false;
  /** The socket closes when no turn is left. */
  #isEnding = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { socket } = parts;
    this.#timers = [
      setInterval(() => this.#ping(), PING_MS).unref(),
      setTimeout(() => this.#expire(), LIFE_MS).unref(),
    ];
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    socket.on('pong', () => (this.#isAlive = true));
    // The library closes the socket with the code of the error.
    socket.on('error', () => {});
    socket.once('close', () => this.#leave());
  }

  /** Takes no further turns, and closes the socket after those that are open. @param isNow also if none is */
  end(isNow: boolean): void {
    this.#isEnding = true;
    if (isNow) this.#closeIfIdle();
  }

  #receive(message: Buffer, isBinary: boolean): void {
    const { socket, dialog } = this.#parts;
    if (isBinary) {
      socket.close(UNSUPPORTED, 'Send requests as text.');
      return;
    }
    const bytes = message.byteLength;
    this.#bytes += bytes;
    try {
      if (this.#isExpired) throw new GatewayError('socket_expired');
      if (this.#isEnding) throw new GatewayError('shutting_down');
      this.#count();
      this.#add({ turn: dialog.read(message), bytes });
    } catch (thrown) {
      this.#bytes -= bytes;
      this.#write(dialog.writeError(toGatewayError(thrown)));
    }
  }

  /** What is kept for later turns goes first. */
  #count(): void {
    const { dialog, count } = this.#parts;
    try {
      count(this.#bytes + dialog.heldBytes);
    } catch {
      dialog.forget();
      count(this.#bytes);
    }
  }

  #add(open: OpenTurn): void {
    const { stream } = open.turn;
    const turns = this.#streams.get(stream);
    if (this.#turns >= MAX_TURNS || (turns === undefined && this.#streams.size >= MAX_STREAMS))
      throw new GatewayError(
        'rate_limit_exceeded',
        `A socket can have ${MAX_TURNS} open requests and ${MAX_STREAMS} streams. Wait for the end of one.`,
      );
    this.#turns += 1;
    if (turns !== undefined) turns.push(open);
    else {
      this.#streams.set(stream, [open]);
      this.#run(open);
    }
  }

  #run(open: OpenTurn): void {
    const answer = this.#start(open.turn);
    if (answer !== undefined && 'body' in answer) {
      void this.#send(open, answer.body)
        .catch(() => this.#parts.socket.terminate())
        .finally(() => this.#next(open));
      return;
    }
    answer?.messages.forEach((message) => this.#write(message));
    this.#next(open);
  }

  /** @returns undefined if the turn was refused */
  #start(turn: SocketTurn): SocketAnswer | undefined {
    try {
      return turn.start(this.#parts.context);
    } catch (thrown) {
      this.#write(turn.writeError(toGatewayError(thrown)));
      return undefined;
    }
  }

  /** Sends the request of a turn. A failure of the request, or of the codec, becomes a message. */
  async #send({ turn }: OpenTurn, body: Uint8Array): Promise<void> {
    let request: ClientRequest | undefined;
    try {
      request = this.#parts.send(body).on('error', () => {});
      this.#running.add(request);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
      await (isStream ? this.#relay(turn, response) : this.#refuse(turn, response));
    } catch (thrown) {
      request?.destroy();
      this.#write(turn.writeError(toGatewayError(thrown)));
    } finally {
      if (request !== undefined) this.#running.delete(request);
    }
  }

  /** Relays the events of a response. @throws what the codec throws, and if the response breaks */
  async #relay(turn: SocketTurn, response: IncomingMessage): Promise<void> {
    const { socket, frameBytes } = this.#parts;
    const decoder = sse.decoder({ frameBytes });
    const emit = ({ data }: { readonly data: string }): void => {
      if (data !== '' && data !== '[DONE]') this.#write(turn.writeEvent(data));
    };
    for await (const chunk of response as AsyncIterable<Buffer>) {
      decoder.push(chunk, emit);
      // Called when the ping, and so all before it, has been sent.
      if (socket.bufferedAmount >= HIGH_WATER)
        await new Promise<void>((resolve) => socket.ping(undefined, undefined, () => resolve()));
    }
    decoder.end(emit);
  }

  async #refuse(turn: SocketTurn, response: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    const { statusCode: status = 500 } = response;
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    this.#write(turn.writeRefusal(status, Buffer.concat(chunks).toString()));
    // The key of the socket is no longer valid.
    if (status === 401) this.#parts.socket.close(POLICY, 'The API key is no longer valid.');
  }

  #next({ turn: { stream }, bytes }: OpenTurn): void {
    const turns = this.#streams.get(stream) ?? [];
    turns.shift();
    this.#turns -= 1;
    this.#bytes -= bytes;
    try {
      this.#count();
    } catch {
      // The messages of other turns are counted already.
    }
    const [following] = turns;
    if (following === undefined) this.#streams.delete(stream);
    else this.#run(following);
    if (this.#isEnding) this.#closeIfIdle();
  }

  #write(message: string): void {
    const { socket } = this.#parts;
    if (socket.readyState === socket.OPEN) socket.send(message);
  }

  #closeIfIdle(): void {
    if (this.#turns > 0) return;
    const { socket } = this.#parts;
    if (this.#isExpired) socket.close(NORMAL, 'The socket has been open for 60 minutes.');
    else socket.close(GOING_AWAY, 'The gateway is shutting down.');
  }

  #expire(): void {
    this.#isExpired = true;
    this.#write(this.#parts.dialog.writeError(new GatewayError('socket_expired')));
    this.end(true);
  }

  #ping(): void {
    const { socket } = this.#parts;
    if (!this.#isAlive) {
      socket.terminate();
      return;
    }
    this.#isAlive = false;
    socket.ping();
  }

  #leave(): void {
    this.#timers.forEach(clearTimeout);
    this.#streams.clear();
    for (const request of this.#running) request.destroy();
  }
}
