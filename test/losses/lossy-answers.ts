import type { Json, Wire } from '../matrix/wires.ts';

/** What a vendor sends that no other wire has, plain and streamed. */
interface LossyAnswer {
  readonly plain: Json;
  readonly streamed: string;
  /** Some of the losses that each other wire has. */
  readonly named: readonly string[];
}

const frames = (events: readonly Json[], isNamed: boolean): string =>
  events
    .map((event) => `${isNamed ? `event: ${String(event['type'])}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('');

const logprobs = { content: [{ token: 'a', logprob: 0, bytes: null, top_logprobs: [] }] };
const audio = { id: 'audio_1', data: 'AAAA', transcript: 'a', expires_at: 1 };
const chatHead = { id: 'c', created: 1, model: 'm', system_fingerprint: 'fp_1', provider: 'p' };
const chatUsage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const chunk = (delta: Json, more: Json = {}): Json => ({
  ...chatHead,
  object: 'chat.completion.chunk',
  obfuscation: 'x',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const chat: LossyAnswer = {
  plain: {
    ...chatHead,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'a', audio, token_ids: [1] },
        logprobs,
        content_filter_results: {},
        finish_reason: 'stop',
      },
    ],
    usage: chatUsage,
  },
  streamed: `${frames(
    [
      chunk({ role: 'assistant', content: '', token_ids: [1] }),
      chunk({ content: 'a' }, { logprobs }),
      chunk({ audio }),
      chunk({}, { finish_reason: 'stop', content_filter_results: {} }),
      { ...chatHead, object: 'chat.completion.chunk', choices: [], usage: chatUsage },
    ],
    false,
  )}data: [DONE]\n\n`,
  named: [
    'system_fingerprint;dropped',
    'provider;dropped',
    'choices[0].content_filter_results;dropped',
    'choices[0].message.audio;dropped',
    'choices[0].message.token_ids;dropped',
  ],
};

const messagesHead = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
const messagesEnd = { stop_reason: 'end_turn', stop_sequence: null, container: { id: 'container_1' } };
const messagesUsage = { input_tokens: 1, output_tokens: 1 };
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } };
const context = { context_management: { applied_edits: [] } };
const messages: LossyAnswer = {
  plain: {
    ...messagesHead,
    content: [search, { type: 'text', text: 'a' }],
    ...messagesEnd,
    ...context,
    usage: messagesUsage,
  },
  streamed: frames(
    [
      { type: 'message_start', message: { ...messagesHead, content: [], stop_reason: null, usage: messagesUsage } },
      { type: 'content_block_start', index: 0, content_block: search },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'a' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: messagesEnd, usage: messagesUsage, ...context },
      { type: 'message_stop' },
    ],
    true,
  ),
  named: ['container;dropped', 'context_management;dropped'],
};

const searchCall = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
const said = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  phase: 'final_answer',
  content: [{ type: 'output_text', text: 'a', annotations: [], logprobs: logprobs.content }],
};
const responsesBody = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  error: null,
  incomplete_details: null,
  billing: { payer: 'developer' },
  output: [searchCall, said],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};
const responses: LossyAnswer = {
  plain: responsesBody,
  streamed: frames(
    [
      { type: 'response.created', response: { ...responsesBody, status: 'in_progress', output: [], usage: null } },
      { type: 'response.output_item.added', output_index: 0, item: searchCall },
      { type: 'response.output_item.done', output_index: 0, item: searchCall },
      { type: 'response.output_item.added', output_index: 1, item: { ...said, content: [] } },
      { type: 'response.output_text.delta', output_index: 1, item_id: 'msg_1', content_index: 0, delta: 'a' },
      { type: 'response.output_item.done', output_index: 1, item: said },
      { type: 'response.completed', response: responsesBody },
    ],
    true,
  ),
  named: ['billing;dropped', 'output.phase;dropped'],
};

const grounding = {
  webSearchQueries: ['q'],
  groundingChunks: [{ web: { uri: 'https://example.com', title: 't' } }],
  groundingSupports: [{ segment: { startIndex: 0, endIndex: 1, text: 'a' }, groundingChunkIndices: [0] }],
};
const googleBody = {
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts: [{ text: 'a' }, { executableCode: { language: 'PYTHON', code: '1' } }],
      },
      finishReason: 'STOP',
      safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
      avgLogprobs: -0.1,
      groundingMetadata: grounding,
    },
  ],
  promptFeedback: { safetyRatings: [] },
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: 'm',
  responseId: 'r',
};
const google: LossyAnswer = {
  plain: googleBody,
  streamed: frames([googleBody], false),
  named: [
    'candidates[0].safetyRatings;dropped',
    'candidates[0].avgLogprobs;dropped',
    'candidates[0].groundingMetadata;approximated',
    'promptFeedback;dropped',
  ],
};

export const lossyAnswers: Readonly<Record<Wire, LossyAnswer>> = { chat, messages, responses, google };
