import type { Json, Wire } from '../../matrix/wires.ts';

export const QUERY = 'weather in Berlin';
export const URL_FOUND = 'https://weather.example/berlin';
const TITLE = 'Berlin weather';
const TEXT = 'It rains.';

/** A vendor that can search the web. */
export type SearchingWire = Exclude<Wire, 'chat'>;

const messagesContent: readonly Json[] = [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: QUERY } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', url: URL_FOUND, title: TITLE, encrypted_content: 'EQ', page_age: null }],
  },
  {
    type: 'text',
    text: TEXT,
    citations: [
      { type: 'web_search_result_location', url: URL_FOUND, title: TITLE, cited_text: 'Rain', encrypted_index: 'EI' },
    ],
  },
];
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'vendor',
  content: messagesContent,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5, server_tool_use: { web_search_requests: 1 } },
};

const items: readonly Json[] = [
  {
    id: 'ws_vendor',
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: QUERY, queries: [QUERY], sources: [{ type: 'url', url: URL_FOUND }] },
  },
  {
    id: 'msg_vendor',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [
      {
        type: 'output_text',
        text: TEXT,
        logprobs: [],
        annotations: [{ type: 'url_citation', url: URL_FOUND, title: TITLE, start_index: 0, end_index: 9 }],
      },
    ],
  },
];
const response = {
  id: 'resp_vendor',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'vendor',
  output: items,
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  },
  tool_usage: { web_search: { num_requests: 1 } },
};

const generated = {
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ text: TEXT }] },
      finishReason: 'STOP',
      groundingMetadata: {
        webSearchQueries: [QUERY],
        groundingChunks: [{ web: { uri: URL_FOUND, title: TITLE } }],
        groundingSupports: [{ segment: { startIndex: 0, endIndex: 9, text: TEXT }, groundingChunkIndices: [0] }],
      },
    },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  modelVersion: 'vendor',
};

const bodies: Readonly<Record<SearchingWire, Json>> = { messages: message, responses: response, google: generated };

const frames = (events: readonly Json[]): string =>
  events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const blockDeltas = ({ type, text, citations, input }: Json): readonly Json[] => {
  if (type === 'server_tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }];
  if (type !== 'text') return [];
  return [
    { type: 'text_delta', text },
    ...(citations as readonly Json[]).map((citation) => ({ type: 'citations_delta', citation })),
  ];
};
const startOf = (block: Json): Json => {
  if (block['type'] === 'text') return { type: 'text', text: '' };
  return block['type'] === 'server_tool_use' ? { ...block, input: {} } : block;
};

const streams: Readonly<Record<SearchingWire, () => string>> = {
  messages: () =>
    frames([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      ...messagesContent.flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: startOf(block) },
        ...blockDeltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: message.usage },
      { type: 'message_stop' },
    ]),
  responses: () =>
    frames([
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
      ...items.flatMap((item, index) => [
        {
          type: 'response.output_item.added',
          output_index: index,
          item: { ...item, status: 'in_progress', content: [] },
        },
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      { type: 'response.completed', response },
    ]),
  google: () => `data: ${JSON.stringify(generated)}\n\n`,
};

/** A response with one search, one source and a text that cites it, as the vendor of the wire sends it. */
export const searchAnswer = (wire: SearchingWire, streamed: boolean): string =>
  streamed ? streams[wire]() : JSON.stringify(bodies[wire]);
