import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { definePlugin, type Guard, type GuardedContent, type GuardVerdict } from '../../core/api/index.ts';
import { builtIns, KEY } from '../support/gateway.ts';
import { goodHeaders, send } from '../support/http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { say, type Said } from './guarded-upstream.ts';

type MakeGuard = () => Guard | undefined;
let first: MakeGuard = () => undefined;
let second: MakeGuard = () => undefined;
const pluginOf = (name: string, guard: MakeGuard) =>
  definePlugin({ kind: 'plugin', apiVersion: 1, name, schema: { type: 'object' }, create: () => ({ guard }) });
const extensions = {
  ...builtIns,
  plugin: { ...builtIns.plugin, first: pluginOf('first', () => first()), second: pluginOf('second', () => second()) },
};

const WORD = 'swordfish';
const redact: MakeGuard = () => ({
  window: WORD.length - 1,
  inspect: (text) => (text.includes(WORD) ? { replace: text.replaceAll(WORD, '[redacted]') } : 'pass'),
});
const refuse: MakeGuard = () => ({
  window: WORD.length - 1,
  inspect: (text) => (text.includes(WORD) ? { refuse: 'Not that word.' } : 'pass'),
});

/** What a client got, by its SDK. */
interface Got {
  readonly text: string;
  readonly finish: string | null;
  readonly refusal: string | null;
  readonly lane: string | null;
}

describe('the guard of a plugin', () => {
  let scene: Scene;
  let said: Said = {};
  before(async () => {
    const plugins = [
      { use: 'auth' },
      { use: 'first', timeout: '100ms' },
      { use: 'second', onError: 'skip', timeout: '100ms' },
    ];
    scene = await startScene({ plugins }, extensions);
    scene.upstream.answer = (response, call) => say(said, response, call);
  });
  beforeEach(() => {
    [first, second] = [() => undefined, () => undefined];
    said = { text: ['The password is sword', 'fish', ', dear.'] };
  });
  after(() => scene.stop(/a plugin failed|it broke/));

  const openai = () => new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
  const anthropic = () => new Anthropic({ apiKey: KEY, baseURL: scene.gateway.url, maxRetries: 0 });
  const chat = async (model: string, stream: boolean): Promise<Got> => {
    const body = { model, messages: [{ role: 'user' as const, content: 'Hi' }] };
    const { data, response } = stream
      ? await openai()
          .chat.completions.create({ ...body, stream })
          .withResponse()
      : await openai().chat.completions.create(body).withResponse();
    const lane = response.headers.get('x-koine-lane');
    if ('choices' in data) {
      const [{ message, finish_reason: finish } = { message: undefined, finish_reason: null }] = data.choices;
      return { text: message?.content ?? '', finish, refusal: message?.refusal ?? null, lane };
    }
    let [text, refusal, finish]: [string, string | null, string | null] = ['', null, null];
    for await (const { choices } of data) {
      const [{ delta, finish_reason: reason } = { delta: undefined, finish_reason: null }] = choices;
      text += delta?.content ?? '';
      if (typeof delta?.refusal === 'string') refusal = (refusal ?? '') + delta.refusal;
      finish ??= reason;
    }
    return { text, finish, refusal, lane };
  };
  const readMessage = ({ content, stop_reason: finish, stop_details: details }: Anthropic.Message) => ({
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    finish,
    refusal: details?.explanation ?? null,
  });
  const messages = async (model: string, stream: boolean): Promise<Got> => {
    const body = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] };
    if (!stream) {
      const { data, response } = await anthropic().messages.create(body).withResponse();
      return { ...readMessage(data), lane: response.headers.get('x-koine-lane') };
    }
    const streamed = anthropic().messages.stream(body);
    const message = await streamed.finalMessage();
    return { ...readMessage(message), lane: streamed.response?.headers.get('x-koine-lane') ?? null };
  };
  const lastLine = async () => {
    const { length } = scene.gateway.exchanges();
    await until('the exchange is logged', () => scene.gateway.exchanges().length >= length);
    return scene.gateway.exchanges().at(-1) ?? {};
  };

  const clients = { chat, messages };
  const refusedAs = { chat: 'content_filter', messages: 'refusal' };
  const stopped = { chat: 'stop', messages: 'end_turn' };
  for (const client of ['chat', 'messages'] as const) {
    for (const model of [CHAT, MESSAGES]) {
      for (const stream of [false, true]) {
        const how = `(${client} to ${model}, ${stream ? 'streamed' : 'plain'})`;

        it(`replaces a word, even if it is split between deltas ${how}`, async () => {
          first = redact;
          expect(await clients[client](model, stream)).to.deep.equal({
            text: 'The password is [redacted], dear.',
            finish: stopped[client],
            refusal: null,
            lane: 'translated',
          });
        });

        it(`refuses in the wire of the client, and keeps what was sent before ${how}`, async () => {
          first = refuse;
          const { text, finish, refusal } = await clients[client](model, stream);
          expect({ finish, refusal }).to.deep.equal({ finish: refusedAs[client], refusal: 'Not that word.' });
          expect(text.replace('Not that word.', '')).to.equal(stream ? 'The password ' : '');
          const line = await lastLine();
          expect(line).to.include({ outcome: 'ok', ending: 'refused', status: 200 });
          expect(line['tokens_out']).to.be.above(0);
        });
      }
    }

    it(`a refused stream cuts its upstream, and what it has sent is billed (${client})`, async () => {
      first = refuse;
      said = { text: ['long '.repeat(100), `the ${WORD} and`], isOpen: true };
      const { count } = scene.upstream.cut;
      const model = client === 'chat' ? CHAT : MESSAGES;
      expect((await clients[client](model, true)).finish).to.equal(refusedAs[client]);
      await until('the upstream is cut', () => scene.upstream.cut.count > count);
      const line = await lastLine();
      expect(line).to.include({ ending: 'refused', tokens_estimated: true });
      expect(line['tokens_out']).to.be.above(100);
    });
  }

  it('without a guard for the exchange, the native lane is taken', async () => {
    expect(await chat(CHAT, true)).to.include({ text: 'The password is swordfish, dear.', lane: 'native' });
    expect(await messages(MESSAGES, false)).to.include({ lane: 'native' });
  });

  it('a guard sees what is about to be sent, with the characters that were held back', async () => {
    const seen: (readonly [string, boolean])[] = [];
    const inspect = (text: string, { isEnd }: GuardedContent): GuardVerdict => {
      seen.push([text, isEnd]);
      return 'pass';
    };
    first = () => ({ window: 4, inspect });
    said = { text: ['abc', 'def', 'g😀hi'] };
    expect((await chat(CHAT, true)).text).to.equal('abcdefg😀hi');
    expect(seen).to.deep.equal([
      ['abcdef', false],
      ['cdefg😀hi', false],
      ['😀hi', true],
    ]);
    seen.length = 0;
    first = () => ({ window: 3, inspect });
    said = { text: ['ab😀de'] };
    expect((await chat(CHAT, true)).text).to.equal('ab😀de');
    expect(seen).to.deep.equal([
      ['ab😀de', false],
      ['😀de', true],
    ]);
    seen.length = 0;
    await chat(CHAT, false);
    expect(seen).to.deep.equal([['ab😀de', true]]);
  });

  for (const stream of [false, true]) {
    const how = stream ? 'streamed' : 'plain';

    it(`inspects the arguments of tool calls, and removes a refused call (${how})`, async () => {
      said = { input: ['{"city":"sword', 'fish"}'] };
      const kinds: (string | undefined)[] = [];
      first = () => ({
        window: Number.POSITIVE_INFINITY,
        inspect: (text, { kind, call }) => {
          kinds.push(kind, call?.name);
          return text.includes(WORD) ? { refuse: 'No such city.' } : 'pass';
        },
      });
      const message = await anthropic()
        .messages.stream({ model: CHAT, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] })
        .finalMessage();
      expect(message.content.map(({ type }) => type)).to.deep.equal(['text']);
      expect(message.stop_reason).to.equal('refusal');
      expect(kinds).to.deep.equal(['tool-call', 'look_up']);
      first = () => ({ window: 20, inspect: (text) => ({ replace: text.replace(WORD, 'Oslo') }) });
      const body = { model: CHAT, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] };
      const { content } = stream
        ? await anthropic().messages.stream(body).finalMessage()
        : await anthropic().messages.create(body);
      const call = content.find((block) => block.type === 'tool_use');
      expect(call?.input).to.deep.equal({ city: 'Oslo' });
    });

    it(`replaced reasoning loses its signature, and other reasoning keeps it (${how})`, async () => {
      said = { reasoning: ['I recall sword', 'fish.'], text: ['Hello'] };
      const body = { model: MESSAGES, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] };
      const think = async () => {
        const { content } = stream
          ? await anthropic().messages.stream(body).finalMessage()
          : await anthropic().messages.create(body);
        const [block] = content;
        return block?.type === 'thinking' ? [block.thinking, block.signature !== ''] : [];
      };
      first = redact;
      expect(await think()).to.deep.equal(['I recall [redacted].', false]);
      first = () => ({ window: 3, inspect: () => 'pass' });
      expect(await think()).to.deep.equal(['I recall swordfish.', true]);
    });

    it(`guards run in the order of the plugins (${how})`, async () => {
      first = redact;
      second = () => ({ window: 9, inspect: (text) => ({ replace: text.replace('[redacted]', '[second]') }) });
      expect((await chat(CHAT, stream)).text).to.equal('The password is [second], dear.');
    });

    it(`an asynchronous guard decides about each text before anything of it is sent (${how})`, async () => {
      const decide = async (text: string): Promise<GuardVerdict> => {
        await delay(5);
        return text.includes(WORD) ? { replace: text.replace(WORD, '[redacted]') } : 'pass';
      };
      first = () => ({ window: WORD.length - 1, inspect: decide });
      expect(await chat(CHAT, stream)).to.include({ text: 'The password is [redacted], dear.', finish: 'stop' });
      expect(await messages(MESSAGES, stream)).to.include({ text: 'The password is [redacted], dear.' });
      second = () => ({
        window: 9,
        inspect: async (text) => {
          await delay(2);
          return { replace: text.replace('[redacted]', '[second]') };
        },
      });
      expect((await chat(CHAT, stream)).text).to.equal('The password is [second], dear.');
      first = () => ({
        window: WORD.length - 1,
        inspect: async (text) => {
          await delay(5);
          return text.includes(WORD) ? { refuse: 'Not this word.' } : 'pass';
        },
      });
      expect(await chat(CHAT, stream)).to.include({ finish: 'content_filter' });
      said = { input: ['{"city":"sword', 'fish"}'] };
      first = () => ({ window: 20, inspect: async (text) => ({ replace: text.replace(WORD, 'Oslo') }) });
      second = () => undefined;
      const body = { model: CHAT, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] };
      const { content } = stream
        ? await anthropic().messages.stream(body).finalMessage()
        : await anthropic().messages.create(body);
      expect(content.find((block) => block.type === 'tool_use')?.input).to.deep.equal({ city: 'Oslo' });
    });

    it(`a guard that fails ends the response with an error, or is skipped, by onError (${how})`, async () => {
      const broken: readonly MakeGuard[] = [
        () => ({
          window: 0,
          inspect: () => {
            throw new Error('it broke');
          },
        }),
        () => ({ window: 0, inspect: () => Promise.reject(new Error('it broke')) }),
        () => ({ window: 0, inspect: async () => ({}) as GuardVerdict }),
        () => ({ window: 0, inspect: () => new Promise(() => {}) }),
        () => ({ window: 0, inspect: () => ({}) as GuardVerdict }),
        () => ({ window: -1, inspect: () => 'pass' }),
      ];
      for (const make of broken) {
        [first, second] = [make, () => undefined];
        const failure = await chat(CHAT, stream).then(
          () => '',
          (error: unknown) => String(error),
        );
        expect(failure).to.include('The gateway failed').and.not.include('it broke');
        [first, second] = [() => undefined, make];
        expect((await chat(CHAT, stream)).text).to.equal('The password is swordfish, dear.');
      }
    });
  }

  it('no log probabilities remain of a replaced text', async () => {
    const body = JSON.stringify({ model: CHAT, messages: [{ role: 'user', content: 'Hi' }], logprobs: true });
    const post = () => send(scene.gateway.url, { path: '/v1/chat/completions', headers: goodHeaders, body });
    first = () => ({ window: 0, inspect: () => 'pass' });
    expect((await post()).text.split(WORD)).to.have.length(3);
    first = redact;
    expect((await post()).text)
      .to.include('[redacted]')
      .and.not.include(WORD);
  });

  it('refuses in the wires of responses and of Google', async () => {
    first = refuse;
    const response = await openai().responses.create({ model: CHAT, input: 'Hi' });
    expect(response.output).to.have.nested.property('[0].content[0].refusal', 'Not that word.');
    const path = `/v1beta/models/${CHAT}:generateContent`;
    const { text } = await send(scene.gateway.url, {
      path,
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    });
    expect(JSON.parse(text)).to.have.nested.property('candidates[0].finishReason', 'SAFETY');
  });
});
