import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { googleError } from '../../matrix/failures/failure-case.ts';
import { goodDay, hello } from '../../matrix/sample-bodies.ts';
import { framesOf } from '../../matrix/vendors/vendors.ts';
import { wires, type Json } from '../../matrix/wires.ts';
import { greet, pathOf } from '../../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../../support/http.ts';
import { oddBytes } from '../translation/odd-bytes.ts';
import { GOOGLE, modelIds, startScene, type Scene } from '../../support/scene.ts';
import { answerSse } from '../../support/upstream.ts';

/** What each frame says, comments left out. */
const dataOf = (text: string): readonly string[] =>
  [...text.matchAll(/^data: ?(.*?)\r?$/gmu)].map(([, data]) => data ?? '');
const fail = (response: ServerResponse): void =>
  void response
    .writeHead(503, { 'content-type': 'application/json' })
    .end(JSON.stringify(googleError(503, 'UNAVAILABLE', 'Overloaded.')));
const withoutId = ({ responseId: _id, ...chunk }: Json): Json => chunk;

/** A client of Google that does not ask for `alt=sse` gets one JSON array whose elements come as the stream goes. */
describe('a stream as a JSON array', () => {
  let scene: Scene;
  /** Sends blanks as soon as its upstream is silent. */
  let blanking: Scene;
  before(async () => {
    scene = await startScene();
    blanking = await startScene({ stream: { openAfter: '100ms', keepaliveEvery: '50ms' } });
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => Promise.all([scene.stop(), blanking.stop()]));

  const ask = (model: string, query = ''): Promise<HttpReply> =>
    send(scene.gateway.url, {
      path: pathOf('google', model, true).replace('?alt=sse', query),
      body: JSON.stringify(hello.google),
    });
  /** The upstream is silent until a blank has arrived. */
  const askSilent = async (model: string, answer: typeof greet): Promise<Omit<HttpReply, 'trailers'>> => {
    const blank = Promise.withResolvers<void>();
    blanking.upstream.answer = async (response, call) => {
      await blank.promise;
      await answer(response, call);
    };
    const url = `${blanking.gateway.url}${pathOf('google', model, true).replace('?alt=sse', '')}`;
    const response = await fetch(url, { method: 'POST', headers: goodHeaders, body: JSON.stringify(hello.google) });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      blank.resolve();
    }
    return { status: response.status, headers: Object.fromEntries(response.headers), text };
  };
  const readArray = (reply: Omit<HttpReply, 'trailers'>): readonly Json[] => {
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.headers['content-type']).to.match(/^application\/json/);
    const array = JSON.parse(reply.text) as unknown;
    if (!Array.isArray(array)) throw new Error(`no array: ${reply.text}`);
    return array as readonly Json[];
  };

  it('a JSON array contains exactly the vendor’s objects, although the vendor was called for events', async () => {
    scene.upstream.answer = (response) =>
      answerSse(response, oddBytes.google.stream.join('').replaceAll('\r\r', '\r\n\r\n'));
    const reply = await ask(GOOGLE);
    readArray(reply);
    expect(reply.text).to.equal(
      `[${dataOf(oddBytes.google.stream.join('').replaceAll('\r\r', '\r\n\r\n')).join(',\r\n')}]`,
    );
    expect(reply.headers['x-koine-lane']).to.equal('native');
    expect(scene.upstream.calls[0]?.path).to.equal('/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
  });

  for (const wire of wires) {
    it(`a JSON array has one element per event, from ${wire}`, async () => {
      scene.upstream.answer = greet;
      const events = await ask(modelIds[wire], '?alt=sse');
      expect(events.headers['content-type']).to.match(/^text\/event-stream/);
      const chunks = dataOf(events.text).map((data) => JSON.parse(data) as Json);
      expect(chunks.length).to.be.above(1);
      for (const query of ['', '?alt=json'])
        expect(readArray(await ask(modelIds[wire], query)).map(withoutId)).to.deep.equal(chunks.map(withoutId));
    });

    it(`a JSON array ends well-formed with an error when the upstream breaks, from ${wire}`, async () => {
      const frames = framesOf(wire, goodDay);
      scene.upstream.answer = (response) => {
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(frames.slice(0, frames.findIndex((frame) => frame.includes('Good')) + 1).join(''));
        setTimeout(() => response.socket?.resetAndDestroy(), 20);
      };
      const elements = readArray(await ask(modelIds[wire]));
      expect(JSON.stringify(elements.slice(0, -1)))
        .to.include('Good')
        .and.to.not.include('finishReason');
      expect(elements.at(-1)).to.have.nested.property('error.code').that.is.a('number');
      expect(elements.filter(({ error }) => error !== undefined)).to.have.length(1);
    });

    it(`blanks keep a JSON array alive while the upstream is silent, from ${wire}`, async () => {
      const reply = await askSilent(modelIds[wire], greet);
      expect(reply.text).to.match(/^ +\[/);
      expect(JSON.stringify(readArray(reply))).to.include('Good');
    });
  }

  it('a JSON array contains only the error when the upstream fails after a long silence', async () => {
    const reply = await askSilent(GOOGLE, fail);
    expect(reply.text).to.match(/^ +\[/);
    expect(readArray(reply)).to.deep.equal([googleError(503, 'UNAVAILABLE', 'Overloaded.')]);
  });

  it('an upstream that fails at once gets an error status instead of a JSON array', async () => {
    scene.upstream.answer = fail;
    const { status, text } = await ask(GOOGLE);
    expect([status, JSON.parse(text)]).to.deep.equal([503, googleError(503, 'UNAVAILABLE', 'Overloaded.')]);
  });
});
