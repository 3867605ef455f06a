import { expect } from 'chai';
import { answerJson, answerSse } from '../e2e/upstream.ts';
import { readError } from '../e2e/http.ts';
import { until } from '../until.ts';
import { chatBody, chatFrames } from '../matrix/vendor-chat.ts';
import { someTokens } from '../matrix/wires.ts';
import { journal } from '../fixtures/extensions/third-party/journal.ts';
import { openHouse, type House } from './third-party.ts';

const talk = { message: { content: 'Say swordfish, then swordswordfish.' }, finish: 'stop' } as const;
const paths = { 'chat-completions': '/v1/chat/completions', messages: '/v1/messages' } as const;

describe('a plugin and a provider of somebody else', () => {
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.stop());
  beforeEach(() => {
    journal.length = 0;
    house.upstream.calls.length = 0;
    house.upstream.answer = (response, { body }) =>
      body['stream'] === true
        ? answerSse(response, chatFrames(talk, someTokens).join(''))
        : answerJson(response, JSON.parse(chatBody(talk, someTokens)));
  });
  const settled = () => until('the exchange is settled', () => journal.includes('middleware out'));

  for (const [wire, path] of Object.entries(paths)) {
    for (const stream of [false, true]) {
      const mode = stream ? 'streamed' : 'plain';

      it(`take part in every phase once, in order, on ${wire}, ${mode}`, async () => {
        const reply = await house.ask(path, stream);
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
          'leave ok',
          'settle ok after 1',
          'middleware out',
        ]);
      });

      it(`keep a word to themselves on ${wire}, ${mode}, however it is cut`, async () => {
        const { text } = await house.ask(path, stream);
        const told = stream
          ? [...text.matchAll(/"(?:content|text)":"([^"]*)"/g)].map(([, piece]) => piece).join('')
          : text;
        expect(text).to.not.include('swordfish');
        expect(told).to.include('Say [redacted], then sword[redacted].');
      });

      it(`try the next target on ${wire}, ${mode}, where the first fails before content`, async () => {
        const { answer } = house.upstream;
        house.upstream.answer = (response, call) =>
          call.path === '/rooms/loud'
            ? answerJson(response, { error: { message: 'full house' } }, 400)
            : answer(response, call);
        const reply = await house.ask(path, stream);
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
          'leave ok',
          'settle ok after 2',
          'middleware out',
        ]);
      });
    }
  }

  it('send what each has to say: edits, capabilities, token and trace', async () => {
    const reply = await house.ask(paths.messages, false);
    const [call] = house.upstream.calls;
    expect(call?.path).to.equal('/rooms/loud');
    expect(call?.body).to.include({ room: 'loud', model: 'loud', max_completion_tokens: 50 });
    expect(call?.headers).to.include({
      authorization: 'Token third-party-secret',
      'x-desk-trace': reply.headers['x-request-id'],
    });
    expect(call?.headers).to.not.have.any.keys('x-desk-key', 'x-api-key');
    expect(reply.headers['x-koine-losses']).to.equal('max_tokens;approximated');
  });

  it('give their headers and their limits, in the words of the client’s wire', async () => {
    const chat = await house.ask(paths['chat-completions'], false);
    expect(chat.headers).to.include({
      'x-desk': 'open',
      'x-desk-place': '1',
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
    });
    const message = await house.ask(paths.messages, true);
    expect(message.headers).to.include({
      'x-desk-place': '1',
      'anthropic-ratelimit-requests-limit': '2',
      'anthropic-ratelimit-requests-remaining': '1',
    });
  });

  it('know a caller, or it is a 401 and nothing further is asked', async () => {
    const reply = await house.ask(paths.messages, false, { 'x-desk-key': 'wrong' });
    expect([reply.status, readError(reply).error.code]).to.deep.equal([401, 'invalid_api_key']);
    await settled();
    expect(journal).to.deep.equal(['middleware in', 'identify', 'middleware out']);
  });

  it('refuse the third at two places, and have the places back when the two are done', async () => {
    const { answer } = house.upstream;
    const waiting: (() => void)[] = [];
    house.upstream.answer = async (response, call) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await answer(response, call);
    };
    const two = [house.ask(paths.messages, true), house.ask(paths['chat-completions'], false)];
    await until('both are on their way', () => waiting.length === 2);
    const third = await house.ask(paths.messages, false);
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
    house.upstream.answer = answer;
    expect((await house.ask(paths.messages, false)).headers['x-desk-place']).to.equal('1');
  });

  it('settle once where every target fails', async () => {
    house.upstream.answer = (response) => answerJson(response, { error: { message: 'full house' } }, 500);
    const reply = await house.ask(paths['chat-completions'], true);
    expect(reply.status).to.be.within(500, 599);
    await settled();
    expect(journal.filter((entry) => /^(?:observe|settle)/.test(entry))).to.deep.equal([
      'observe parlour/loud transient',
      'observe parlour/quiet transient',
      'settle upstream_error after 2',
    ]);
  });

  it('do not try again after content: the stream ends in the wire’s error', async () => {
    house.upstream.answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(chatFrames(talk, someTokens).slice(0, 2).join(''), () => response.destroy());
    };
    const reply = await house.ask(paths.messages, true);
    expect(reply.text)
      .to.match(/event: error\n/)
      .and.not.match(/message_stop/);
    await settled();
    expect(journal.filter((entry) => entry.startsWith('send'))).to.deep.equal(['send loud']);
    expect(journal.filter((entry) => entry.startsWith('settle'))).to.deep.equal(['settle upstream_error after 1']);
  });

  it('log in their own name', () => {
    expect(house.lines.map(({ text }) => text)).to.include('the parlour is open');
    expect(JSON.stringify(house.lines)).to.not.include('third-party-secret').and.not.include('let-me-in');
  });
});

describe('extensions of somebody else', () => {
  it('are closed when the gateway stops, in reverse, each once', async () => {
    const house = await openHouse();
    journal.length = 0;
    await house.stop();
    expect(journal).to.deep.equal(['close desk', 'close parlour']);
  });
});
