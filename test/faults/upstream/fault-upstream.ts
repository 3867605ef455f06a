import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { contextOf, type Security } from './certificates.ts';
import type { Line, Step } from './steps.ts';

export interface FaultRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How many requests the connection carried before. */
  readonly before: number;
}
export type Script = (request: FaultRequest) => readonly Step[];

export interface FaultUpstream {
  readonly url: string;
  readonly requests: FaultRequest[];
  readonly lines: readonly Line[];
  /** The first bytes of every connection, as they came over the network. */
  readonly greetings: readonly Buffer[];
  /** The script for each request. */
  script: Script;
  /** Sets a script for requests whose body contains the returned word. */
  play(script: Script): string;
  /** The scripts by word. */
  requestsWith(word: string): readonly FaultRequest[];
  /** The script for a connection before anything is read from it. */
  accept: readonly Step[];
  stop(): Promise<void>;
}

const play = async (steps: readonly Step[], line: Line): Promise<void> => {
  for (const step of steps) await step(line);
};

/** Reads whole requests from the bytes received. Requests of the gateway have a content-length. */
const takeRequest = (
  text: string,
  before: number,
): { readonly request: FaultRequest; readonly rest: string } | undefined => {
  const border = text.indexOf('\r\n\r\n');
  if (border < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, border).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const end = border + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < end) return undefined;
  const [method = '', path = ''] = first.split(' ');
  return {
    request: { method, path, headers, body: Buffer.from(text.slice(border + 4, end), 'latin1').toString(), before },
    rest: text.slice(end),
  };
};

/**
 * A provider at the level of connections, driven by a script: bytes, pauses and resets.
 */
export const startFaultUpstream = async (security: Security = 'none'): Promise<FaultUpstream> => {
  const plays = new Map<string, Script>();
  const scriptOf = ({ body }: FaultRequest): Script =>
    [...plays].find(([word]) => body.includes(word))?.[1] ?? upstream.script;
  const [requests, lines, greetings]: [FaultRequest[], Line[], Buffer[]] = [[], [], []];
  const secure = security !== 'none';
  const encrypted = secure && security !== 'plain' && security !== 'stalled';
  const secureContext = encrypted ? contextOf(security) : undefined;

  const listen = (socket: Duplex, raw: Socket, line: Line): void => {
    let text = '';
    let count = 0;
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1');
      for (let taken = takeRequest(text, count); taken !== undefined; taken = takeRequest(text, count)) {
        text = taken.rest;
        count += 1;
        line.idle = false;
        requests.push(taken.request);
        void play(scriptOf(taken.request)(taken.request), line);
      }
    });
    if (security === 'plain') raw.write('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  };
  const server = createServer({ pauseOnConnect: true, noDelay: true }, async (raw) => {
    raw.on('error', () => {});
    const line: Line = { raw, socket: raw, idle: false };
    lines.push(line);
    await play(upstream.accept, line);
    if (raw.destroyed) return;
    // A connection that is not used yet is idle: it expects no response.
    line.idle = true;
    if (security === 'stalled') {
      raw.once('data', (bytes: Buffer) => greetings.push(bytes));
      raw.resume();
      return;
    }
    if (secureContext === undefined) {
      raw.once('data', (bytes: Buffer) => greetings.push(bytes));
      listen(raw, raw, line);
      raw.resume();
      return;
    }
    const socket = new TLSSocket(raw, { isServer: true, secureContext });
    listen(socket, raw, Object.assign(line, { socket }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream: FaultUpstream = {
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    lines,
    greetings,
    script: () => [],
    play: (script) => {
      const word = `#${plays.size}#`;
      plays.set(word, script);
      return word;
    },
    requestsWith: (word) => requests.filter(({ body }) => body.includes(word)),
    accept: [],
    stop: async () => {
      for (const { raw } of lines) raw.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return upstream;
};
