import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answersOf, chatEvents } from '../../tools/bench/gateways/answers.ts';
import { ANSWER_MARK } from '../../tools/bench/load/requests.ts';

/** Responds for every provider, and counts its requests. */
export interface CountedUpstream {
  readonly url: string;
  readonly requests: number;
  /** Sets how many content events a requested stream has. */
  events: number;
  /**
   * Writes the next event of the open stream. The client calls it for each event that it reads, so that each is a
   * chunk.
   */
  advance(): void;
  stop(): Promise<void>;
}

/** As short as possible: work per character is not what is counted here. */
const answerTo = answersOf(1);

export const startCountedUpstream = async (): Promise<CountedUpstream> => {
  let open: ServerResponse | undefined;
  let written = 0;
  const content = (): string => {
    written += 1;
    return chatEvents.content(`${ANSWER_MARK} ${written} `);
  };
  const server = createServer((request, response) => {
    upstream.requests += 1;
    const pieces: Buffer[] = [];
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .once('end', () => {
        const { stream } = JSON.parse(Buffer.concat(pieces).toString()) as { readonly stream?: boolean };
        if (stream === true) {
          open = response;
          written = 0;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(chatEvents.first + content());
          return;
        }
        const answer = answerTo(request.url ?? '') ?? '';
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) };
        response.writeHead(200, headers).end(answer);
      });
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    events: 1,
    advance: (): void => {
      if (written < upstream.events) open?.write(content());
      else open?.end(chatEvents.last(written));
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  return upstream;
};
