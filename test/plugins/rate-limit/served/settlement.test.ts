import { expect } from 'chai';
import { request as requestHttp } from 'node:http';
import { textOf, framesOf } from '../../../matrix/vendors/vendors.ts';
import { goodDay } from '../../../matrix/sample-bodies.ts';
import { untilText } from '../../../matrix/vendors/breaks.ts';
import { someTokens } from '../../../matrix/wires.ts';
import { callOf } from '../../../support/calls.ts';
import { until } from '../../../support/until.ts';
import { goodHeaders, send } from '../../../support/http.ts';
import { CHAT } from '../../../support/scene.ts';
import { answerJson } from '../../../support/upstream.ts';
import { remainingOf, startServed, type Served } from './served.ts';

const TOKENS = 100_000;
const REQUESTS = 100;
const spent = someTokens.fresh + someTokens.output;

describe('rate-limit: the settlement of an exchange', () => {
  let served: Served;
  before(async () => {
    served = await startServed({
      alice: [{ tokens: TOKENS, per: '1h' }, { requests: REQUESTS, per: '1h' }, { concurrent: 1 }],
    });
  });
  after(() => served.stop());

  /**
   * Tokens and requests that were used since the last call. It makes a request of its own, which reserves one token
   * of output and is refused by its vendor.
   */
  let seen = { tokens: TOKENS, requests: REQUESTS };
  const used = async (): Promise<{ readonly tokens: number; readonly requests: number }> => {
    const settled = served.gateway.exchanges().length;
    served.upstream.answer = (response) => answerJson(response, { error: { message: 'no' } }, 400);
    const call = callOf('chat', CHAT, { more: { max_completion_tokens: 1 } });
    const reply = await send(served.gateway.url, call);
    expect(reply.status, reply.text).to.equal(400);
    await served.gateway.settled(settled + 1);
    const now = {
      tokens: remainingOf(reply, 'tokens') + 1 + Math.ceil(call.body.length / 4),
      requests: remainingOf(reply, 'requests'),
    };
    const difference = { tokens: seen.tokens - now.tokens, requests: seen.requests - now.requests - 1 };
    seen = now;
    return difference;
  };
  const ask = async (text?: string): Promise<number> => {
    const settled = served.gateway.exchanges().length;
    const { status } = await served.ask(
      'chat',
      CHAT,
      text === undefined ? {} : { more: { messages: [{ role: 'user', content: text }] } },
    );
    await served.gateway.settled(settled + 1);
    return status;
  };

  it('settlement takes what the vendor reported', async () => {
    served.upstream.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(textOf('chat', 'plain', goodDay));
    expect(await ask()).to.equal(200);
    expect(await used()).to.deep.equal({ tokens: spent, requests: 1 });
  });

  it('settlement takes only the request if the vendor failed', async () => {
    served.upstream.answer = (response) => answerJson(response, { error: { message: 'busy' } }, 503);
    expect(await ask()).to.be.within(500, 599);
    expect(await used()).to.deep.equal({ tokens: 0, requests: 1 });
  });

  it('settlement takes nothing if a later plugin refused', async () => {
    expect(await ask('bounce me')).to.equal(403);
    expect(await used()).to.deep.equal({ tokens: 0, requests: 0 });
  });

  it('settlement takes one request and no tokens if no target can carry it', async () => {
    const calls = served.upstream.calls.length;
    const refused = await served.ask('responses', CHAT, { more: { background: true } });
    expect([refused.status, served.upstream.calls.length]).to.deep.equal([400, calls]);
    expect(await used()).to.deep.equal({ tokens: 0, requests: 1 });
  });

  it('settlement takes what was streamed before the client left, and frees its place', async () => {
    served.upstream.answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(framesOf('chat', goodDay).slice(0, untilText.chat).join(''));
    };
    const settled = served.gateway.exchanges().length;
    const { path, body } = callOf('chat', CHAT, { stream: true });
    let received = '';
    const request = requestHttp(served.gateway.url + path, { method: 'POST', headers: goodHeaders, agent: false });
    request
      .on('error', () => {})
      .on('response', (response) => {
        response
          .on('error', () => {})
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            received += chunk;
          });
      });
    request.end(body);
    await until('the first content', () => received.includes('data: '));
    const second = await served.ask('chat', CHAT);
    expect([second.status, second.headers['x-koine-limit']]).to.deep.equal([429, 'key;concurrent']);
    request.destroy();
    await served.gateway.settled(settled + 2);
    const { tokens, requests } = await used();
    expect(requests).to.equal(1);
    expect(tokens).to.be.within(1, 200);
  });

  it('an exchange is settled once', async () => {
    for (let times = 0; times < 3; times += 1) {
      served.upstream.answer = (response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(textOf('chat', 'streamed', goodDay));
      const settled = served.gateway.exchanges().length;
      expect((await served.ask('chat', CHAT, { stream: true })).status).to.equal(200);
      await served.gateway.settled(settled + 1);
      expect(await used()).to.deep.equal({ tokens: spent, requests: 1 });
    }
  });
});
