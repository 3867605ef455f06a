import { expect } from 'chai';
import type { GenerateRequest } from '../../../core/api/index.ts';
import { type Codec, parseExactJson } from '../../../core/api/codec.ts';
import { receiveJson } from '../../../core/exchange/request/receive.ts';
import { messagesCodec } from '../../../providers/anthropic/messages/index.ts';
import { chatCompletionsCodec } from '../../../providers/openai/chat-completions/index.ts';
import { createProfile } from '../fits/samples.ts';

const ID = '9007199254740993';
const headers = { 'anthropic-version': '2023-06-01' };
const receive = (codec: Codec<'generate'>, text: string): GenerateRequest => {
  const accepted = codec.client?.decodeRequest({
    raw: Buffer.from(text),
    body: receiveJson(Buffer.from(text)),
    headers,
    query: {},
  });
  if (accepted === undefined) throw new Error('no client half');
  return accepted.request;
};
const send = (codec: Codec<'generate'>, request: GenerateRequest): string =>
  JSON.stringify(codec.upstream?.encodeRequest(request, createProfile({}, { wire: codec.wire }), () => undefined).body);

const schema = `{"type":"object","properties":{"id":{"type":"integer","maximum":${ID}}}}`;
const chat = `{"model":"m","tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"id\\":${ID}}"}}]},{"role":"tool","tool_call_id":"c1","content":"b"}]}`;
const messages = `{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":${schema}}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{"id":${ID}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"b"}]}]}`;

/** A 64-bit id that is rounded to a double is the id of something else. */
describe('integers beyond 2^53 in a translation', () => {
  it('keeps integers beyond 2^53 in arguments and schemas of a chat request', () => {
    const sent = send(messagesCodec, receive(chatCompletionsCodec, chat));
    expect(sent).to.include(`"input":{"id":${ID}}`).and.include(`"maximum":${ID}`);
  });

  it('keeps integers beyond 2^53 in inputs and schemas of a messages request', () => {
    const sent = send(chatCompletionsCodec, receive(messagesCodec, messages));
    expect(sent).to.include(`"arguments":"{\\"id\\":${ID}}"`).and.include(`"maximum":${ID}`);
  });

  it('keeps integers beyond 2^53 in the input of a plain response, in both directions', () => {
    const context = { origin: { provider: 'p', family: 'f' }, turn: 1, lose: () => undefined };
    const answer = messagesCodec.upstream?.decodeResponse(
      parseExactJson(
        `{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{"id":${ID}}}],"stop_reason":"tool_use"}`,
      ),
      context,
    );
    expect(answer?.choices[0]?.parts[0]).to.include({ type: 'tool-call', input: `{"id":${ID}}` });
    if (answer === undefined) throw new Error('no upstream half');
    const written = messagesCodec.client?.encodeResponse(answer, {
      request: receive(messagesCodec, messages),
      created: 0,
      now: () => 0,
      newId: (prefix) => prefix,
      lose: () => undefined,
      inputEstimate: 0,
    });
    expect(JSON.stringify(written)).to.include(`"input":{"id":${ID}}`);
  });
});
