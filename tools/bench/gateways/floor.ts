import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, type Dispatcher } from 'undici';

// What passing on costs at least: node:http and undici alone, which read no body. Prints its port.
const pool = new Pool(process.argv[2] ?? '', { headersTimeout: 0, bodyTimeout: 0 });
const headers = { 'content-type': 'application/json', authorization: 'Bearer key' };

class Passing implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  onRequestStart(): void {
    // The request cannot be aborted.
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, received: Record<string, unknown>): void {
    this.#response.writeHead(status, { 'content-type': String(received['content-type']) });
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#response.write(chunk);
  }

  onResponseEnd(): void {
    this.#response.end();
  }

  onResponseError(): void {
    this.#response.writeHead(502).end();
  }
}

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request
    .on('data', (piece: Buffer) => pieces.push(piece))
    .once('end', () => {
      const body = Buffer.concat(pieces);
      pool.dispatch({ path: request.url ?? '/', method: 'POST', headers, body }, new Passing(response));
    });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
