import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { SocketWire } from '../../contracts/framing.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { newId } from '../../lanes/new-id.ts';
import { sendInMemory } from './in-memory-request.ts';
import { SocketSession } from './socket-session.ts';

/** A socket that may be opened. */
export interface AcceptedSocket {
  readonly wire: SocketWire;
  /** Identifies the key of its client: sockets of one key share a bound. */
  readonly owner: string;
}

/** Decides about an upgrade. @throws GatewayError the refusal */
export type AcceptSocket = (request: IncomingMessage) => Promise<AcceptedSocket>;

export interface SocketOptions {
  readonly server: Server;
  /** On which the server accepts connections. */
  readonly event: 'connection' | 'secureConnection';
  readonly accept: AcceptSocket;
  /** The longest message, in bytes. */
  readonly maxBytes: number;
}

/** The open sockets of a listener. */
export interface Sockets {
  /** Serves an upgrade. Rejects with the refusal, for which nothing has been written. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Each socket closes after its open requests. @param isNow also those without one */
  end(isNow: boolean): void;
  cut(): void;
}

/** Sockets of one key in this process, and the bytes that they may keep: arriving messages, and earlier turns. */
const MAX_SOCKETS = 64;
const MAX_BYTES = 67_108_864;
/** The longest event of a response. */
const FRAME_BYTES = 67_108_864;

/** What the sockets of one key take. */
interface Use {
  sockets: number;
  bytes: number;
}

/** The bytes of one socket, within the bound of its key. */
class Share {
  readonly #use: Use;
  /** Kept by the session. */
  #kept = 0;
  /** Of a message that has not arrived completely. */
  #arriving = 0;
  #isOver = false;

  constructor(use: Use) {
    this.#use = use;
  }

  /** @throws GatewayError `rate_limit_exceeded` if the sockets of the key keep too many */
  keep(bytes: number): void {
    if (this.#isOver) return;
    this.#use.bytes += bytes - this.#kept - this.#arriving;
    this.#kept = bytes;
    this.#arriving = 0;
    if (this.#use.bytes > MAX_BYTES) throw tooMuch('hold too much of requests and conversations');
  }

  /** @returns whether the bound of the key is exceeded */
  arrive(bytes: number): boolean {
    this.#arriving += bytes;
    this.#use.bytes += bytes;
    return this.#use.bytes > MAX_BYTES * 2;
  }

  leave(): void {
    this.keep(0);
    this.#isOver = true;
  }
}

const tooMuch = (what: string): GatewayError =>
  new GatewayError('rate_limit_exceeded', `The sockets of this key ${what}. Close one, or wait for its requests.`);

class OpenSockets implements Sockets {
  readonly #options: SocketOptions;
  readonly #acceptor: WebSocketServer;
  readonly #sessions = new Map<WebSocket, SocketSession>();
  readonly #uses = new Map<string, Use>();

  constructor(options: SocketOptions, acceptor: WebSocketServer) {
    this.#options = options;
    this.#acceptor = acceptor;
  }

  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const ignore = (): void => {};
    socket.on('error', ignore);
    const { wire, owner } = await this.#options.accept(request);
    const use = this.#uses.get(owner) ?? { sockets: 0, bytes: 0 };
    if (use.sockets >= MAX_SOCKETS) throw tooMuch(`are ${MAX_SOCKETS}, the most of one key`);
    socket.off('error', ignore);
    this.#acceptor.handleUpgrade(request, socket, head, (opened) => {
      use.sockets += 1;
      this.#uses.set(owner, use);
      this.#open(opened, request, wire, owner, use);
    });
  }

  end(isNow: boolean): void {
    for (const session of this.#sessions.values()) session.end(isNow);
  }

  cut(): void {
    for (const socket of this.#sessions.keys()) socket.terminate();
  }

  #open(socket: WebSocket, request: IncomingMessage, wire: SocketWire, owner: string, use: Use): void {
    const { server, event } = this.#options;
    const share = new Share(use);
    const session = new SocketSession({
      socket,
      dialog: wire.open(),
      context: { now: () => Math.floor(Date.now() / 1_000), newId },
      frameBytes: FRAME_BYTES,
      send: (body) => sendInMemory(server, event, request, body),
      count: (bytes) => share.keep(bytes),
    });
    this.#sessions.set(socket, session);
    request.socket.on('data', (chunk: Buffer) => {
      if (share.arrive(chunk.byteLength)) socket.terminate();
    });
    socket.once('close', () => {
      this.#sessions.delete(socket);
      share.leave();
      use.sockets -= 1;
      if (use.sockets === 0) this.#uses.delete(owner);
    });
  }
}

/** Loads the WebSocket library, which no gateway without sockets needs. */
export async function openSockets(options: SocketOptions): Promise<Sockets> {
  const { WebSocketServer } = await import('ws');
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.maxBytes,
  });
  return new OpenSockets(options, acceptor);
}
