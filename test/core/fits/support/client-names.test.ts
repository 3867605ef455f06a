import { expect } from 'chai';
import type { Part } from '../../../../core/canonical/part.ts';
import type { GenerateRequest, Turn } from '../../../../core/canonical/request.ts';
import type { JsonObject } from '../../../../core/canonical/wire.ts';
import type { Codec } from '../../../../core/api/codec.ts';
import { compileNames } from '../../../../core/fits/support/field-name.ts';
import { createClientNames } from '../../../../core/fits/support/client-names.ts';
import { chatCompletionsCodec } from '../../../../providers/openai/chat-completions/index.ts';
import { messagesCodec } from '../../../../providers/anthropic/messages/index.ts';
import { responsesCodec } from '../../../../providers/openai/responses/index.ts';
import { generateContentCodec } from '../../../../providers/google/generate-content/index.ts';
import { traitsOf } from '../../../providers/traits-of.ts';
import { text, user } from '../samples.ts';

/** Names as the codec of a target uses them. */
const chatNames = compileNames(traitsOf('chat-completions'));
const responsesNames = compileNames(traitsOf('responses'));
const googleNames = compileNames(traitsOf('generate-content'));

const decode = (codec: Codec<'generate'>, body: JsonObject): GenerateRequest => {
  const found = codec.client?.decodeRequest({
    raw: Buffer.from(JSON.stringify(body)),
    body,
    headers: { 'anthropic-version': '2023-06-01' },
    query: {},
    model: 'm',
    stream: false,
  });
  if (found === undefined) throw new Error('no client half');
  return found.request;
};

/** The place of every part of a request that a real codec has decoded. */
const placesOf = (codec: Codec<'generate'>, body: JsonObject): readonly (readonly (string | undefined)[])[] => {
  const request = decode(codec, body);
  const { place } = createClientNames(request, traitsOf(request.wire), body);
  return request.turns.map(({ parts }) => parts.map(place));
};

const image = { type: 'image_url', image_url: { url: 'https://example.test/a.png' } };
const chat: JsonObject = {
  model: 'm',
  messages: [
    { role: 'system', content: 's' },
    { role: 'user', content: [{ type: 'text', text: 'a' }, image] },
    {
      role: 'assistant',
      content: 'b',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'd' },
  ],
};
const messages: JsonObject = {
  model: 'm',
  max_tokens: 9,
  system: [
    { type: 'text', text: 's' },
    { type: 'text', text: 't' },
  ],
  messages: [
    { role: 'user', content: 'a' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'b' },
        { type: 'tool_use', id: 'c1', name: 'f', input: {} },
      ],
    },
    { role: 'system', content: 'later' },
  ],
};
const responses: JsonObject = {
  model: 'm',
  instructions: 's',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'https://example.test/a.png' },
      ],
    },
    { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'd' },
    { role: 'user', content: 'e' },
  ],
};
const google: JsonObject = {
  systemInstruction: { parts: [{ text: 's' }] },
  contents: [
    { role: 'user', parts: [{ text: 'a' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
    { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
    { role: 'model', parts: [{ functionCall: { name: 'g', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
  ],
};

describe('the client names of a request', () => {
  it('the client names of a request include the places of chat-completions', () => {
    expect(placesOf(chatCompletionsCodec, chat)).to.deep.equal([
      ['messages[0].content'],
      ['messages[1].content[0]', 'messages[1].content[1]'],
      ['messages[2].content', 'messages[2].tool_calls[0]'],
      ['messages[3]'],
    ]);
  });

  it('the client names of a request include the places of messages, where system blocks are not messages', () => {
    expect(placesOf(messagesCodec, messages)).to.deep.equal([
      ['system[0]', 'system[1]'],
      ['messages[0].content'],
      ['messages[1].content[0]', 'messages[1].content[1]'],
      ['messages[2].content'],
    ]);
    expect(placesOf(messagesCodec, { ...messages, system: 'plain' })[0]).to.deep.equal(['system']);
    expect(placesOf(messagesCodec, { ...messages, system: [] })[0]).to.deep.equal(['messages[0].content']);
  });

  it('the client names of a request include the places of responses, with one per item of a joined turn', () => {
    expect(placesOf(responsesCodec, responses)).to.deep.equal([
      ['instructions'],
      ['input[0].content[0]', 'input[0].content[1]'],
      ['input[1]', 'input[2].content[0]', 'input[3]'],
      ['input[4]'],
      ['input[5].content'],
    ]);
    expect(placesOf(responsesCodec, { model: 'm', input: 'a' })).to.deep.equal([['input']]);
  });

  it('the client names of a request include the places of generate-content, with one per content of a joined turn', () => {
    expect(placesOf(generateContentCodec, google)).to.deep.equal([
      ['systemInstruction.parts[0]'],
      ['contents[0].parts[0]', 'contents[0].parts[1]'],
      ['contents[1].parts[0]', 'contents[2].parts[0]'],
      ['contents[3].parts[0]'],
    ]);
  });

  it('a turn that the codec read differently has no client name', () => {
    const request = decode(messagesCodec, messages);
    const { place } = createClientNames({ ...request, turns: request.turns.slice(1) }, traitsOf('messages'), messages);
    expect(request.turns.flatMap(({ parts }) => parts.map(place))).to.deep.equal(
      request.turns.flatMap(({ parts }) => parts.map(() => undefined)),
    );
    expect(
      createClientNames(request, traitsOf('converse'), messages).place(request.turns[0]?.parts[0] as Part),
    ).to.equal(undefined);
  });

  describe('a name from an encoder', () => {
    const request = decode(messagesCodec, messages);
    const names = createClientNames(request, traitsOf('messages'), messages);
    const [system, first, second, later] = request.turns;
    const sent = (...turns: readonly (Turn | undefined)[]) => ({
      turns: turns.filter((turn) => turn !== undefined),
      tools: [],
    });

    it("translates an encoder's name to a path, from names of the target or common names", () => {
      const all = sent(system, first, second, later);
      expect(names.translate('messages[0].content[1].citations', chatNames, all)).to.equal('system[1].citations');
      expect(names.translate('input[2].content[1].input', responsesNames, all)).to.equal(
        'messages[1].content[1].input',
      );
      expect(names.translate('contents[1].parts[0]', googleNames, all)).to.equal('messages[0].content');
    });

    it('a client name follows a moved turn, and falls back to the turn for a new part', () => {
      const moved = sent(
        user('from the gateway'),
        second === undefined ? undefined : { ...second, parts: [text('new'), ...second.parts] },
        system,
      );
      expect(names.translate('messages[1].content[2]', chatNames, moved)).to.equal('messages[1].content[1]');
      expect(names.translate('messages[1].content[0].cache', chatNames, moved)).to.equal('messages[1].cache');
      expect(names.translate('messages[2].name', chatNames, moved)).to.equal('system.name');
      expect(names.translate('messages[0].content[0]', chatNames, moved), 'nothing of the client').to.equal('messages');
      expect(names.translate('messages[9].content', chatNames, moved)).to.equal('messages');
    });

    it('a part that was rewritten in place keeps its client name', () => {
      const marked = (turn: Turn | undefined): Turn => ({
        role: turn?.role ?? 'user',
        parts: (turn?.parts ?? []).map((part, at, { length }) =>
          at === length - 1 ? { ...part, cache: { ttl: '5m' } } : part,
        ),
      });
      const rewritten = sent(marked(system), marked(first), marked(second), later);
      expect(names.translate('messages[0].content[1].x', chatNames, rewritten)).to.equal('system[1].x');
      expect(names.translate('messages[1].content[0].x', chatNames, rewritten)).to.equal('messages[0].content.x');
      expect(
        names.translate('messages[1].content[0].x', chatNames, sent(...rewritten.turns.slice(0, 2))),
        'turns have gone',
      ).to.equal('messages.x');
    });

    it("translates an encoder's name to the client’s name of a member", () => {
      const translate = (wire: string, name: string, known = chatNames) =>
        createClientNames(request, traitsOf(wire), {}).translate(name, known, sent());
      expect(
        [
          'stop',
          'response_format.strict',
          'user',
          'topK',
          'max_tokens',
          'service_tier',
          'container',
          'tools[0].strict',
        ].map((name) => translate('messages', name)),
      ).to.deep.equal([
        'stop_sequences',
        'output_config.format.strict',
        'metadata.user_id',
        'top_k',
        'max_tokens',
        'service_tier',
        'container',
        'tools[0].strict',
      ]);
      expect(
        ['response_format', 'max_tokens', 'messages', 'generationConfig.seed', 'reasoning.budget'].map((name) =>
          translate('responses', name, googleNames),
        ),
      ).to.deep.equal(['text.format', 'max_output_tokens', 'input', 'seed', 'reasoning']);
      expect(
        ['seed', 'n', 'tool_choice', 'max_output_tokens', 'input[0].x'].map((name) =>
          translate('generate-content', name, responsesNames),
        ),
      ).to.deep.equal([
        'generationConfig.seed',
        'generationConfig.candidateCount',
        'toolConfig.functionCallingConfig',
        'generationConfig.maxOutputTokens',
        'contents.x',
      ]);
      expect(translate('converse', 'stop_sequences', compileNames(traitsOf('messages')))).to.equal('stop');
    });
  });
});
