import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { untilText } from '../../matrix/vendors/breaks.ts';
import { idOf } from '../../matrix/catalog.ts';
import { chatError, fromVendors, googleError, messagesError } from '../../matrix/failures/failure-case.ts';
import { startMatrix, type MatrixScene } from '../../matrix/matrix-scene.ts';
import { streamRequest } from '../../matrix/clients/raw-stream.ts';
import { readStream } from '../../matrix/clients/read-stream.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { framesOf } from '../../matrix/vendors/vendors.ts';
import { pairOf, wires, type Wire } from '../../matrix/wires.ts';
import { finishReasons } from '../../matrix/wire-terms.ts';
import { until } from '../../support/until.ts';
import { goodHeaders } from '../../support/http.ts';
import type { TestUpstream } from '../../support/upstream.ts';

const overloaded = fromVendors(
  { status: 503, body: chatError('Overloaded.', 'server_error', 'overloaded') },
  { status: 529, body: messagesError('overloaded_error', 'Overloaded.') },
  { status: 503, body: googleError(503, 'UNAVAILABLE', 'Overloaded.') },
);
/** Silence, well above `openAfter`, for clients that cannot be asked what they have seen. */
const SILENCE = 400;

/** Ends the silence of the upstream. */
interface Silence {
  readonly over: Promise<void>;
  end(): void;
}
const createSilence = (): Silence => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { over: promise, end: resolve };
};
const silenceFor = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const speakAfter = (upstream: TestUpstream, wire: Wire, silence: Promise<void>): void => {
  upstream.answer = (response) =>
    silence.then(
      () => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf(wire, goodDay).join('')),
    );
};
const failAfter = (upstream: TestUpstream, wire: Wire, silence: Promise<void>): void => {
  const { status, body } = overloaded[wire];
  upstream.answer = (response) =>
    silence.then(
      () => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
};

const comment = ': keep-alive\n\n';
const signs: Readonly<Record<Wire, string>> = {
  chat: comment,
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
  responses: comment,
  google: comment,
};

/** What a client is sent behind the signs of life. */
const failures: Readonly<Record<Wire, RegExp>> = {
  chat: /^data: \{"error":\{"message":"Overloaded\.","type":"server_error","param":null,"code":"overloaded"\}\}\n\n$/,
  messages:
    /^event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error","message":"Overloaded\."\}(?:,"request_id":"req_\w+")?\}\n\n$/,
  responses:
    /^event: response\.created\ndata: .*\n\nevent: response\.in_progress\ndata: .*\n\nevent: response\.failed\ndata: \{.*"error":\{"code":"server_error","message":"Overloaded\."\}.*\}\n\n$/,
  google: /^data: \{"error":\{"code":503,"message":"Overloaded\.","status":"UNAVAILABLE"\}\}\n\n$/,
};
const countSigns = (text: string, sign: string): number => text.split(sign).length - 1;

describe('a stream whose upstream is silent for longer than stream.openAfter', () => {
  let scene: MatrixScene;
  before(async () => {
    scene = await startMatrix(undefined, { stream: { openAfter: '100ms', keepaliveEvery: '50ms' } });
  });
  after(() => scene.stop());

  /** The whole answer. Three life signs of this kind end the upstream's silence. */
  const watch = (
    client: Wire,
    wire: Wire,
    silence: Silence,
    sign = comment,
  ): Promise<{ text: string; headers: Readonly<Record<string, unknown>> }> =>
    new Promise((resolve, reject) => {
      const { path, body } = streamRequest(client, idOf(wire));
      const request = requestHttp(
        scene.gateway.url + path,
        { method: 'POST', headers: goodHeaders, agent: false },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
            if (countSigns(text, sign) === 3) silence.end();
          });
          response
            .once('end', () => resolve({ text, headers: { ...response.headers, status: response.statusCode } }))
            .once('error', reject);
        },
      );
      request.once('error', reject).end(body);
    });

  for (const client of wires) {
    for (const wire of wires) {
      const pair = pairOf(client, wire);

      it(`a silent stream sends status and keepalives, then the content: ${pair}`, async () => {
        const silence = createSilence();
        speakAfter(scene.upstream, wire, silence.over);
        const { text, headers } = await watch(client, wire, silence);
        expect(headers).to.include({
          status: 200,
          'content-type': 'text/event-stream; charset=utf-8',
          'x-koine-model': idOf(wire),
          'x-koine-attempts': '1',
          'x-koine-provider': idOf(wire).replace(/\/.*/, ''),
        });
        expect(text).to.match(/^(?:: keep-alive\n\n){3,}(?:data|event): /);
      });

      it(`the SDK reads an opened stream like any other: ${pair}`, async () => {
        speakAfter(scene.upstream, wire, silenceFor(SILENCE));
        expect(await readStream(client, scene.gateway.url, idOf(wire))).to.deep.equal({
          text: 'Good day.',
          finish: finishReasons[client].stop,
          error: undefined,
        });
      });

      it(`an opened stream fails like any stream of its wire: ${pair}`, async () => {
        const silence = createSilence();
        failAfter(scene.upstream, wire, silence.over);
        const logged = scene.gateway.exchanges().length;
        const { text, headers } = await watch(client, wire, silence);
        expect(headers).to.include({ status: 200 });
        expect(text).to.match(/^(?:: [^\n]*\n\n)+/);
        expect(text.replace(/^(?:: [^\n]*\n\n)+/, '')).to.match(failures[client]);
        await scene.gateway.settled(logged + 1);
        expect(scene.gateway.exchanges()[logged]).to.include({
          outcome: 'upstream_error',
          status: 200,
          code: 'upstream_overloaded',
        });
      });

      it(`an opened stream that fails raises an SDK error: ${pair}`, async () => {
        failAfter(scene.upstream, wire, silenceFor(SILENCE));
        const { error, text } = await readStream(client, scene.gateway.url, idOf(wire));
        expect(error?.message).to.include('Overloaded.');
        expect(text).to.equal('');
      });

      it(`keepalives in the middle of a stream come between whole frames: ${pair}`, async () => {
        const silence = createSilence();
        scene.upstream.answer = (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const frames = framesOf(wire, goodDay);
          const all = frames.join('');
          const begun = frames.slice(0, untilText[wire]).join('').length + 20;
          response.write(all.slice(0, begun));
          void silence.over.then(() => response.end(all.slice(begun)));
        };
        const { text } = await watch(client, wire, silence, signs[client]);
        for (const block of text.split(/\r?\n\r?\n/).slice(0, -1))
          expect(block).to.match(/^(?::.*|(?:event: [\w.]+\n)?data: (?:\[DONE\]|\{.*\}))$/);
      });
    }
  }

  it('a client that leaves an opened stream is distinguished from one that stays', async () => {
    scene.upstream.answer = () => {};
    const logged = scene.gateway.exchanges().length;
    const { count } = scene.upstream.cut;
    const request = requestHttp(
      `${scene.gateway.url}/v1/messages`,
      { method: 'POST', headers: goodHeaders, agent: false },
      (response) => void response.once('data', () => request.destroy()).on('error', () => {}),
    );
    request
      .on('error', () => {})
      .end(
        JSON.stringify({
          model: idOf('messages'),
          max_tokens: 100,
          stream: true,
          messages: [{ role: 'user', content: 'Hi' }],
        }),
      );
    await scene.gateway.settled(logged + 1);
    expect(scene.gateway.exchanges()[logged]).to.include({ outcome: 'client_closed' });
    await until('the upstream is cut off', () => scene.upstream.cut.count === count + 1);
  });
});
