import { expect } from 'chai';
import type { GenerateRequest, JsonObject } from '../../core/api/index.ts';
import type { Tap } from '../../core/api/codec.ts';
import { weighText } from '../../core/api/internal.ts';
import { createTap as createMessagesTap } from '../../providers/anthropic/messages/upstream/response/tap.ts';
import { createTap as createChatTap } from '../../providers/openai/chat-completions/upstream/response/tap.ts';
import { createTap as createResponsesTap } from '../../providers/openai/responses/upstream/response/tap.ts';

const texts = ['Good', ' day', ', “you”', ' 中文', ' "quoted"', '\n', ' again', ' and', ' again', '!'];
const request = { includeUsage: true } as GenerateRequest;

interface Wire {
  readonly name: string;
  createTap(): Tap;
  /** The event with this number that brings a text. */
  event(text: string, at: number): JsonObject;
  /** An event of the same type that brings more than text. */
  readonly odd: JsonObject;
}
const chatEvent = (text: string, choice: JsonObject = {}, chunk: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  choices: [{ index: 0, delta: { content: text }, finish_reason: null, ...choice }],
  ...chunk,
});
const wires: readonly Wire[] = [
  {
    name: 'chat-completions',
    createTap: () => createChatTap(request),
    event: (text, at) => chatEvent(text, {}, { obfuscation: 'x'.repeat(at) }),
    odd: chatEvent('', { finish_reason: 'stop' }),
  },
  {
    name: 'messages',
    createTap: createMessagesTap,
    event: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    odd: { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  },
  {
    name: 'responses',
    createTap: createResponsesTap,
    event: (delta, at) => ({
      type: 'response.output_text.delta',
      sequence_number: at,
      content_index: 0,
      delta,
      logprobs: [],
      obfuscation: 'ab',
    }),
    odd: { type: 'response.in_progress', sequence_number: 99, response: {} },
  },
];
const frameOf = (event: JsonObject) => ({ event: undefined, data: JSON.stringify(event) });

for (const { name, createTap, event, odd } of wires) {
  describe(`events of ${name} that repeat`, () => {
    it('counts repeated events one by one', () => {
      const tap = createTap();
      const verdicts = texts.map((text, at) => tap.inspectFrame(frameOf(event(text, at + 1))));
      expect(new Set(verdicts)).to.deep.equal(new Set(['content']));
      expect(tap.observed.outputChars).to.equal(texts.reduce((sum, text) => sum + weighText(text), 0));
    });

    it('parses repeated events once, except those with escapes', () => {
      const tap = createTap();
      const { parse } = JSON;
      let parses = 0;
      JSON.parse = (text: string) => {
        parses += 1;
        return parse(text) as unknown;
      };
      try {
        for (let at = 1; at < 50; at += 1) tap.inspectFrame(frameOf(event(`word ${at}`, at)));
      } finally {
        JSON.parse = parse;
      }
      expect(parses).to.equal(1);
    });

    it('repeated events do not hide the events between them', () => {
      const tap = createTap();
      for (const text of texts) tap.inspectFrame(frameOf(event(text, 3)));
      const { outputChars } = tap.observed;
      expect(tap.inspectFrame(frameOf(odd))).to.equal('pass');
      expect(tap.observed.outputChars).to.equal(outputChars);
    });
  });
}

describe('a repeated event of responses', () => {
  it('the failure after repeated events has their whole text and a later number', () => {
    const tap = createResponsesTap();
    const item = { id: 'msg_1', type: 'message', role: 'assistant', content: [] };
    tap.inspectFrame(frameOf({ type: 'response.output_item.added', sequence_number: 1, item }));
    const [, , responses] = wires;
    for (const [at, text] of texts.entries()) tap.inspectFrame(frameOf(responses!.event(text, at + 2)));
    let failed: JsonObject = {};
    const error = tap.end();
    tap.fail(error!, (_event, data) => {
      failed = JSON.parse(data) as JsonObject;
    });
    expect(failed['sequence_number']).to.equal(texts.length + 2);
    expect((failed['response'] as JsonObject)['output_text']).to.equal(texts.join(''));
  });
});
