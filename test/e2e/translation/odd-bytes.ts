import type { Wire } from '../../matrix/wires.ts';

/** Requests and responses with everything a parser would change: numbers, escapes, white space, order, line ends. */
export interface OddBytes {
  /** @param more members at the end */
  readonly request: (model: string, more?: string) => string;
  readonly answer: string;
  /** Frames, but for the last one of some wires. */
  readonly stream: readonly string[];
}

const BIG = '9007199254740993';
const oddities = `"seed" : ${BIG} ,\r\n\t"x_unknown":{"b":1e400,"a":[ 1.0,2.50E+3,-0 , null],"":"\\u0041\\ud83d\\ude00\\/é"} `;

const chunk = (text: string): string =>
  `{ "id":"c",  "choices":[{"delta":{"content":"${text}"},"index":0,"x_score":1e400,"finish_reason":null}], "seed":${BIG}}`;
const chat: OddBytes = {
  request: (model, more = '') =>
    ` { "temperature":1.0,"model" : ${JSON.stringify(model)},${oddities},"messages":[{"content":"\\u0048i\\n","role":"user"}]${more}}\n`,
  answer: ` {"choices":[ {"index":0,"message":{"role":"assistant","content":"\\u0048i"},"finish_reason":"stop"}],\r\n"x":1e400,"usage" :{"prompt_tokens":1.0, "completion_tokens":2,"total_tokens":3},"y":${BIG} }\n`,
  stream: [
    '\uFEFF: OPENROUTER PROCESSING\r\n\r\n',
    'retry: 10\r\nid: 7\r\n\r\n',
    'data: {"id":"c","choices":[{"delta":{"role":"assistant"},"index":0}]}\r\n\r\n',
    `event: message\r\ndata:${chunk('\\u0048i \\ud83d\\ude00')}\r\n\r\n`,
    `data: ${chunk('é')}\n\n`,
    ': a comment\ndata: {"id":"c","choices":[{"delta":{},"index":0,"finish_reason":"stop"}]}\n\n',
    'data: [DONE]\n\n',
  ],
};

const messages: OddBytes = {
  request: (model, more = '') =>
    `{"messages":[{"content":[{"text":"\\u0048i","type":"text","x":1e400}],"role":"user"}],${oddities},"max_tokens":1e2,  "model":${JSON.stringify(model)}${more}}`,
  answer: `{"type":"message","content":[ {"type":"text","text":"\\u0048i"}],"stop_reason":"end_turn",\r\n"usage":{"input_tokens":1,"output_tokens":${BIG}}}`,
  stream: [
    'event: message_start\r\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\r\n\r\n',
    ': a comment\n\n',
    'event: content_block_start\ndata: {"type":"content_block_start", "index":0,"content_block":{"type":"text","text":""}}\n\n',
    'event: vendor_news\ndata: {"type":"vendor_news","n":1e400}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\u0048\\ud83d\\ude00"}}\n\n',
    'event: content_block_stop\rdata: {"type":"content_block_stop","index":0}\r\r',
    `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":${BIG}}}\n\n`,
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ],
};

const history = `{"type":"function_call","call_id":"c","name":"f","arguments":"{ \\"id\\":${BIG}}"} , {"output":"\\u0078","call_id":"c","type":"function_call_output","x":-0}`;
const item = '{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}';
const responses: OddBytes = {
  request: (model, more = '') =>
    `\t{"input":[{"content":[{"text":"\\u0048i","type":"input_text","x":1e400}],"role":"user"},${history}],${oddities},"max_output_tokens":1e2,"metadata" :{"a":"\\u0062"},  "model":${JSON.stringify(model)}${more} }`,
  answer: ` {"object":"response", "status":"completed","output":[ {"type":"message","role":"assistant","content":[{"type":"output_text","text":"\\u0048i","x":1e400}]}],"output_text":"\\u0048i",\r\n"usage":{"input_tokens":1, "output_tokens":2.0,"total_tokens":3},"metadata":{},"y":${BIG} }\n`,
  stream: [
    ': a comment\r\n\r\n',
    `event: response.created\r\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1", "object":"response","status":"in_progress","output":[],"created_at":${BIG}}}\r\n\r\n`,
    `event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":${item}}\n\n`,
    'event: response.vendor_news\ndata: {"type":"response.vendor_news","sequence_number":2,"n":1e400}\n\n',
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"\\u0048\\ud83d\\ude00","logprobs":[ ],"obfuscation":"aB3"}\n\n',
    'event: response.output_text.done\rdata: {"type":"response.output_text.done","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"text":"H"}\r\r',
    `event: response.completed\ndata: {"type":"response.completed","sequence_number":5,"response":{"id":"resp_1","object":"response","status":"completed","output":[${item}],"output_text" :"","usage":{"input_tokens":1,"output_tokens":${BIG},"total_tokens":3.0}}}\n\n`,
  ],
};

const call = `{"parts":[{"functionCall":{"name":"f","args":{"id":${BIG},"x":[1.0,"\\u0041"]}},"thoughtSignature":"U0lH"}],"role":"model"} , {"role":"user","parts":[{"functionResponse":{"name":"f","response":{"n":1e400}}}]}`;
const google: OddBytes = {
  request: (_model, more = '') =>
    `{ "contents" : [{"parts":[{"text":"\\u0048i","x_part":1e400}],"role":"user"},${call}],${oddities},"generationConfig":{ "maxOutputTokens":1e2,"x_config":-0},"safetySettings":[ ]${more}}\r\n`,
  answer: ` {"candidates":[ {"index":0,"content":{"role":"model","parts":[{"text":"\\u0048i","x":1e400}]},"finishReason":"STOP","avgLogprobs":-1.50}],\r\n"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":${BIG}} }\n`,
  stream: [
    ': a comment\r\n\r\n',
    'data: {"candidates": [{"content": {"parts": [{"text": "\\u0048\\ud83d\\ude00","x":1e400}],"role": "model"},"index": 0}],"modelVersion": "m"}\r\n\r\n',
    `data:{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"id":${BIG}}},"thoughtSignature":"U0lH"}],"role":"model"},"index":0}]}\n\n`,
    'data: {"x_news":[ 1.0 ]}\n\n',
    `data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":${BIG}}}\r\r`,
  ],
};

export const oddBytes: Readonly<Record<Wire, OddBytes>> = { chat, messages, responses, google };
