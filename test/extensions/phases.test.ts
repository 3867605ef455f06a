import { expect } from 'chai';
import { answerJson, answerSse } from '../support/upstream.ts';
import { readError } from '../support/http.ts';
import { until } from '../support/until.ts';
import { chatBody, chatFrames } from '../matrix/vendors/vendor-chat.ts';
import { someTokens } from '../matrix/wires.ts';
import { journal } from '../fixtures/extensions/third-party/journal.ts';
import { startThirdParty, type ThirdPartyGateway } from './third-party.ts';

const talk = { message: { content: 'Say swordfish, then swordswordfish.' }, finish: 'stop' } as const;
const paths = { 'chat-completions': '/v1/chat/completions', messages: '/v1/messages' } as const;

describe('a third-party plugin and provider', () => {
  let running: ThirdPartyGateway;
  before(async () => {
    running = await startThirdParty();
  });
  after(() => running.stop());
  beforeEach(() => {
    journal.length = 0;
    running.upstream.calls.length = 0;
    running.upstream.answer = (response, { body }) =>
      body['stream'] === true
        ? answerSse(response, chatFrames(talk, someTokens).join(''))
        : answerJson(response, JSON.parse(chatBody(talk, someTokens)));
  });
  const settled = () => until('the exchange is settled', () => journal.includes('middleware out'));

  for (const [wire, path] of Object.entries(paths)) {
    for (const stream of [false, true]) {
      const mode = stream ? 'streamed' : 'plain';

      it(`a plugin and a provider take part in every phase once and in order (${wire}, ${mode})`, async () => {
        const reply = await running.request(path, stream);
        expect(reply.status, reply.text).to.equal(200);
        await settled();
        expect(journal).to.deep.equal([
          'middleware in',
          'identify',
          'enter guest',
          'admit guest',
          'strategy of 2',
          'send loud',
          'fit loud',
          'address loud door',
          'reply loud',
          'observe parlour/loud committed',
          'settle ok after 1',
          'leave ok',
          'middleware out',
        ]);
      });

      it(`a plugin can redact a word, even if it is split between chunks (${wire}, ${mode})`, async () => {
        const { text } = await running.request(path, stream);
        const received = stream
          ? [...text.matchAll(/"(?:content|text)":"([^"]*)"/g)].map(([, piece]) => piece).join('')
          : text;
        expect(text).to.not.include('swordfish');
        expect(received).to.include('Say [redacted], then sword[redacted].');
      });

      it(`the next target is tried when the first fails before content (${wire}, ${mode})`, async () => {
        const { answer } = running.upstream;
        running.upstream.answer = (response, call) =>
          call.path === '/rooms/loud'
            ? answerJson(response, { error: { message: 'full house' } }, 400)
            : answer(response, call);
        const reply = await running.request(path, stream);
        expect(reply.status, reply.text).to.equal(200);
        expect(reply.headers).to.include({
          'x-koine-attempts': '2',
          'x-koine-provider': 'parlour',
          'x-koine-model': 'house/talk',
        });
        await settled();
        expect(journal.slice(4)).to.deep.equal([
          'strategy of 2',
          'send loud',
          'fit loud',
          'address loud door',
          'classify 400',
          'observe parlour/loud overloaded',
          'send quiet',
          'fit quiet',
          'address quiet door',
          'reply quiet',
          'observe parlour/quiet committed',
          'settle ok after 2',
          'leave ok',
          'middleware out',
        ]);
      });
    }
  }

  it('the upstream request has the edits, capabilities, token and trace of both', async () => {
    const reply = await running.request(paths.messages, false);
    const [call] = running.upstream.calls;
    expect(call?.path).to.equal('/rooms/loud');
    expect(call?.body).to.include({ room: 'loud', model: 'loud', max_completion_tokens: 50 });
    expect(call?.headers).to.include({
      authorization: 'Token third-party-secret',
      'x-desk-trace': reply.headers['x-request-id'],
    });
    expect(call?.headers).to.not.have.any.keys('x-desk-key', 'x-api-key');
    expect(reply.headers['x-koine-losses']).to.equal('max_tokens;approximated');
  });

  it('the response has the headers and limits of both, in the wire of the client', async () => {
    const chat = await running.request(paths['chat-completions'], false);
    expect(chat.headers).to.include({
      'x-desk': 'open',
      'x-desk-place': '1',
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
    });
    const message = await running.request(paths.messages, true);
    expect(message.headers).to.include({
      'x-desk-place': '1',
      'anthropic-ratelimit-requests-limit': '2',
      'anthropic-ratelimit-requests-remaining': '1',
    });
  });

  it('an unknown caller gets a 401, and no later phase runs', async () => {
    const reply = await running.request(paths.messages, false, { 'x-desk-key': 'wrong' });
    expect([reply.status, readError(reply).error.code]).to.deep.equal([401, 'invalid_api_key']);
    await settled();
    expect(journal).to.deep.equal(['middleware in', 'identify', 'middleware out']);
  });

  it('a plugin can limit concurrency: a third request is refused until the two others are done', async () => {
    const { answer } = running.upstream;
    const waiting: (() => void)[] = [];
    running.upstream.answer = async (response, call) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await answer(response, call);
    };
    const two = [running.request(paths.messages, true), running.request(paths['chat-completions'], false)];
    await until('both are on their way', () => waiting.length === 2);
    const third = await running.request(paths.messages, false);
    expect(third.status).to.equal(429);
    expect(third.headers).to.include({ 'retry-after': '2', 'anthropic-ratelimit-requests-remaining': '0' });
    expect(readError(third).error).to.include({
      message: 'Rate limit exceeded: every place is taken.',
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
    });
    for (const go of waiting) go();
    expect((await Promise.all(two)).map(({ status }) => status)).to.deep.equal([200, 200]);
    await until('both are settled', () => journal.filter((entry) => entry.startsWith('settle')).length === 2);
    running.upstream.answer = answer;
    expect((await running.request(paths.messages, false)).headers['x-desk-place']).to.equal('1');
  });

  it('the exchange is settled once when every target fails', async () => {
    running.upstream.answer = (response) => answerJson(response, { error: { message: 'full house' } }, 500);
    const reply = await running.request(paths['chat-completions'], true);
    expect(reply.status).to.be.within(500, 599);
    await settled();
    expect(journal.filter((entry) => /^(?:observe|settle)/.test(entry))).to.deep.equal([
      'observe parlour/loud transient',
      'observe parlour/quiet transient',
      'settle upstream_error after 2',
    ]);
  });

  it('there is no retry after content: the stream ends with the error of its wire', async () => {
    running.upstream.answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(chatFrames(talk, someTokens).slice(0, 2).join(''), () => response.destroy());
    };
    const reply = await running.request(paths.messages, true);
    expect(reply.text)
      .to.match(/event: error\n/)
      .and.not.match(/message_stop/);
    await settled();
    expect(journal.filter((entry) => entry.startsWith('send'))).to.deep.equal(['send loud']);
    expect(journal.filter((entry) => entry.startsWith('settle'))).to.deep.equal(['settle upstream_error after 1']);
  });

  it('log lines have the name of the extension', () => {
    expect(running.lines.map(({ text }) => text)).to.include('the parlour is open');
    expect(JSON.stringify(running.lines)).to.not.include('third-party-secret').and.not.include('let-me-in');
  });
});

describe('third-party extensions', () => {
  it('extensions are closed once each, in reverse order, when the gateway stops', async () => {
    const running = await startThirdParty();
    journal.length = 0;
    await running.stop();
    expect(journal).to.deep.equal(['close desk', 'close parlour']);
  });
});
