import { expect } from 'chai';
import { isStreamed } from '../../support/calls.ts';
import { modelIds } from '../../support/scene.ts';
import { answerJson, answerSse, type TestUpstream } from '../../support/upstream.ts';
import { wires, type Json, type Wire } from '../../matrix/wires.ts';
import { startTenants, type Tenants } from '../support/tenants.ts';

/** Finish reasons of a model's own, or too new for any list, in responses with and without text. */
const words: Readonly<Record<Wire, readonly string[]>> = {
  google: [
    'UNEXPECTED_TOOL_CALL',
    'MALFORMED_FUNCTION_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MISSING_THOUGHT_SIGNATURE',
    'MALFORMED_RESPONSE',
    'LANGUAGE',
    'OTHER',
    'IMAGE_OTHER',
    'A_WORD_OF_NEXT_YEAR',
  ],
  chat: ['function_call_filter: MALFORMED_FUNCTION_CALL', 'a_word_of_next_year'],
  messages: ['a_word_of_next_year'],
  responses: ['a_word_of_next_year'],
};

const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
const bodies: Readonly<Record<Wire, (word: string, text: string) => Json>> = {
  google: (finishReason, text) => ({
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: text === '' ? [] : [{ text }] },
        finishReason,
        finishMessage: 'Odd.',
      },
    ],
    modelVersion: 'm',
  }),
  chat: (word, content) => ({
    id: 'c1',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: word }],
    usage,
  }),
  messages: (word, text) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: text === '' ? [] : [{ type: 'text', text }],
    stop_reason: word,
    usage: { input_tokens: 3, output_tokens: 1 },
  }),
  responses: (reason, text) => ({
    id: 'resp_1',
    object: 'response',
    model: 'm',
    status: 'incomplete',
    incomplete_details: { reason },
    output:
      text === ''
        ? []
        : [
            {
              id: 'msg_1',
              type: 'message',
              role: 'assistant',
              status: 'incomplete',
              content: [{ type: 'output_text', text, annotations: [] }],
            },
          ],
    output_text: text,
    usage: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 4,
    },
  }),
};

const data = (value: Json): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: Json): string => `event: ${String(value['type'])}\n${data(value)}`;
const streams: Readonly<Record<Wire, (word: string, text: string) => string>> = {
  google: (word, text) => data(bodies.google(word, text)),
  chat: (word, content) =>
    data({
      id: 'c1',
      model: 'm',
      choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
    }) +
    data({ id: 'c1', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: word }] }) +
    'data: [DONE]\n\n',
  messages: (word, text) =>
    event({ type: 'message_start', message: { ...bodies.messages(word, ''), stop_reason: null } }) +
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }) +
    event({ type: 'content_block_stop', index: 0 }) +
    event({ type: 'message_delta', delta: { stop_reason: word }, usage: { output_tokens: 1 } }) +
    event({ type: 'message_stop' }),
  responses: (word, text) =>
    event({ type: 'response.incomplete', sequence_number: 0, response: bodies.responses(word, text) }),
};

describe('unknown finish reasons', () => {
  let tenants: Tenants;
  before(async () => {
    tenants = await startTenants();
  });
  after(() => tenants.stop());

  const endWith =
    (wire: Wire, word: string, text: string): TestUpstream['answer'] =>
    (response, call) =>
      isStreamed(call)
        ? answerSse(response, streams[wire](word, text))
        : answerJson(response, bodies[wire](word, text));

  for (const wire of wires) {
    for (const word of words[wire]) {
      it(`relays an unknown finish reason unchanged on the native lane, and opens no circuit: ${word} on ${wire}`, async () => {
        for (const text of ['', 'Hm.']) {
          for (let turn = 0; turn < 5; turn += 1) {
            for (const stream of [false, true]) {
              for (const { status, text: received } of await tenants.attack(
                wire,
                { stream },
                endWith(wire, word, text),
              )) {
                expect(status, received).to.equal(200);
                if (stream) expect(received).to.equal(streams[wire](word, text));
                else expect(JSON.parse(received)).to.deep.include(bodies[wire](word, text));
              }
            }
          }
        }
        await tenants.expectUnharmed(wire);
      });

      for (const client of wires.filter((other) => other !== wire)) {
        it(`translates an unknown finish reason to an ordinary end for a client of ${client}: ${word} on ${wire}`, async () => {
          const model = modelIds[wire];
          for (let turn = 0; turn < 5; turn += 1) {
            for (const stream of [false, true]) {
              for (const { status, text } of await tenants.attack(
                client,
                { stream },
                endWith(wire, word, 'Hm.'),
                model,
              )) {
                expect(status, text).to.equal(200);
                expect(text)
                  .to.contain('Hm.')
                  .and.to.match(/"(?:stop|end_turn|completed|STOP)"/)
                  .and.to.not.contain('"error":{');
              }
            }
          }
          await tenants.expectUnharmed(client, model);
        });
      }
    }
  }

  it('fails one request if the finish reason names a failure of the vendor, and opens no circuit', async () => {
    for (const word of ['error', 'abort', 'insufficient_system_resource']) {
      for (let turn = 0; turn < 5; turn += 1) {
        for (const { status } of await tenants.attack('chat', { stream: true }, endWith('chat', word, 'Hm.')))
          expect(status).to.equal(200);
      }
    }
    await tenants.expectUnharmed('chat');
  });
});
