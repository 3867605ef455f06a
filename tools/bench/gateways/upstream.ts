import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answersOf, chatEvents } from './answers.ts';

// The provider of the benchmark: one plain answer of about 0.9 kB for each wire, and paced streams of chat completions.
// Prints its port.
const answerTo = answersOf(14);
/** Each event carries the time of its sending, so that a reader sees what the way cost it. */
const stream = (response: ServerResponse, events: number, everyMs: number): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chatEvents.first);
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    // By the clock: every interval is a little longer than it should be, and the rate would be lower.
    const due = Math.min(events, Math.floor((performance.now() - began) / everyMs));
    for (; sent < due; sent += 1) {
      response.write(chatEvents.content(`@${(performance.timeOrigin + performance.now()).toFixed(3)} `));
    }
    if (sent < events) return;
    clearInterval(timer);
    response.end(chatEvents.last(events));
  }, everyMs);
  response.once('close', () => clearInterval(timer));
};

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request
    .on('data', (piece: Buffer) => pieces.push(piece))
    .once('end', () => {
      const body = Buffer.concat(pieces);
      // The end of a body is enough: a provider that parses more would only take time from the load.
      const isStream = body.includes('"stream":true', Math.max(0, body.length - 1_024));
      if (isStream) {
        // The prompt asks for the length and the pace of its answer.
        const [, events, every] = /\[events (\d+) every (\d+)\]/.exec(body.toString()) ?? [];
        stream(response, Number(events), Number(every));
        return;
      }
      const answer = answerTo((request.url ?? '').split('?')[0] ?? '');
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer ?? '') };
      response.writeHead(answer === undefined ? 404 : 200, headers).end(answer);
    });
});
// Longer than any pause between two turns: an idle connection that ends as a request comes would count as an error.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
