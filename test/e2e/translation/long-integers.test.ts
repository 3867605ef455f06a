import { expect } from 'chai';
import { pairOf, wires, type Wire } from '../../matrix/wires.ts';
import { callOf, isStreamed, wireAt } from '../../support/calls.ts';
import { send } from '../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';

/** More than a double holds: JSON.parse makes 12345678901234567000 of it. */
const ID = '12345678901234567890';
const args = `{"id":${ID}}`;
const text = JSON.stringify(args);

/** The answer of each vendor that calls a function with a long id, as text: JSON.stringify would round it already. */
const plain: Readonly<Record<Wire, string>> = {
  chat: `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":${text}}}]},"finish_reason":"tool_calls"}]}`,
  messages: `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":${args}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`,
  responses: `{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":${text},"status":"completed"}]}`,
  google: `{"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":${args}}}]},"finishReason":"STOP"}]}`,
};
const data = (json: string, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${json}\n\n`;
const item = (status: string, inner: string): string =>
  `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":${inner},"status":"${status}"}`;
const response = (status: string, output: string): string =>
  `{"id":"r","object":"response","status":"${status}","model":"m","output":[${output}]}`;
const streamed: Readonly<Record<Wire, string>> = {
  chat: [
    `{"id":"c","model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":${text}}}]},"finish_reason":null}]}`,
    '{"id":"c","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
    '[DONE]',
  ]
    .map((json) => data(json))
    .join(''),
  messages: [
    '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{}}}',
    `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${text}}}`,
    '{"type":"content_block_stop","index":0}',
    '{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":1}}',
    '{"type":"message_stop"}',
  ]
    .map((json) => data(json, /"type":"(\w+)"/.exec(json)?.[1]))
    .join(''),
  responses: [
    `{"type":"response.created","sequence_number":0,"response":${response('in_progress', '')}}`,
    `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":${item('in_progress', '""')}}`,
    `{"type":"response.function_call_arguments.delta","sequence_number":2,"item_id":"fc_1","output_index":0,"delta":${text}}`,
    `{"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":${item('completed', text)}}`,
    `{"type":"response.completed","sequence_number":4,"response":${response('completed', item('completed', text))}}`,
  ]
    .map((json) => data(json, /"type":"([\w.]+)"/.exec(json)?.[1]))
    .join(''),
  google: data(plain.google),
};

/** A conversation with such a call in it, and nothing else of note. */
const history: Readonly<Record<Wire, string>> = {
  chat: `"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":${text}}}]},{"role":"tool","tool_call_id":"call_1","content":"x"}]`,
  messages: `"max_tokens":10,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"f","input":${args}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"x"}]}]`,
  responses: `"input":[{"role":"user","content":"Hi"},{"type":"function_call","call_id":"call_1","name":"f","arguments":${text}},{"type":"function_call_output","call_id":"call_1","output":"x"}]`,
  google: `"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"id":"call_1","name":"f","args":${args}}}]},{"role":"user","parts":[{"functionResponse":{"id":"call_1","name":"f","response":{"output":"x"}}}]}]`,
};

describe('an integer beyond 2^53 in tool call arguments', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
    scene.upstream.answer = (reply, call) => {
      const wire = wireAt(call.path);
      const stream = isStreamed(call);
      reply
        .writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
        .end(stream ? streamed[wire] : plain[wire]);
    };
  });
  after(() => scene.stop());

  for (const client of wires) {
    for (const wire of wires) {
      for (const stream of [false, true]) {
        it(`a long integer keeps its digits over ${pairOf(client, wire)}, ${stream ? 'streamed' : 'plain'}, both ways`, async () => {
          scene.upstream.calls.length = 0;
          const { path } = callOf(client, modelIds[wire], { stream });
          const head = client === 'google' ? '' : `"model":"${modelIds[wire]}","stream":${stream},`;
          const reply = await send(scene.gateway.url, { path, body: `{${head}${history[client]}}` });
          expect(reply.status, reply.text).to.equal(200);
          expect(scene.upstream.calls[0]?.raw.toString().replaceAll('\\', ''), 'the request').to.include(ID);
          expect(reply.text.replaceAll('\\', ''), 'the answer')
            .to.include(ID)
            .and.to.not.include('12345678901234567000')
            .and.not.include('12345678901234567e');
        });
      }
    }
  }
});
