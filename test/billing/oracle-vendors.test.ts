import type { Scene } from '../support/scene.ts';
import { answerJson } from '../support/upstream.ts';
import { chunk, event, writeEvents, type WrittenEvent } from '../providers/bedrock/write-events.ts';
import type { Json } from '../matrix/wires.ts';
import { consult, startOracle, type OracleCase } from './oracle.ts';
import { answer, type Answer } from './scripted.ts';

/** Usage as it is reported, in tokens that would cost other amounts at any price of the oracle. */
const chat = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const responses = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
const read = { inputUncached: 5, output: 2 };

const events =
  (written: readonly WrittenEvent[]): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).end(writeEvents(written));

const json =
  (body: Json): Answer =>
  (response) =>
    answerJson(response, body);

/** Reports of what a call costs, which no price of the catalog covers. */
const reported: readonly OracleCase[] = [
  {
    name: 'what OpenRouter reports is the cost',
    client: 'chat',
    model: 'none/chat',
    answers: [answer({ usage: { ...chat, cost: 0.00_001_234 } })],
    usage: { ...read, reportedCost: 12_340 },
    nano: 12_340n,
  },
  {
    name: 'ten ticks of xAI are a nano-dollar',
    client: 'messages',
    model: 'none/chat',
    answers: [answer({ usage: { ...chat, cost_in_usd_ticks: 37_756_000 } })],
    usage: { ...read, reportedCost: 3_775_600 },
    nano: 3_775_600n,
  },
  {
    name: 'ticks of xAI at the end of a stream are the cost',
    client: 'chat',
    model: 'none/chat',
    stream: true,
    answers: [answer({ usage: { ...chat, cost_in_usd_ticks: 158_500 } })],
    usage: { ...read, reportedCost: 15_850 },
    nano: 15_850n,
  },
  {
    name: 'ticks of xAI on the wire responses are the cost, in which its tools are included',
    client: 'responses',
    model: 'none/responses',
    answers: [
      answer({
        usage: {
          ...responses,
          cost_in_usd_ticks: 318_319_000,
          server_side_tool_usage_details: { web_search_calls: 1, x_search_calls: 2 },
        },
      }),
    ],
    usage: { ...read, units: { webSearches: 3 }, reportedCost: 31_831_900 },
    nano: 31_831_900n,
  },
  ...[false, true].map((stream): OracleCase => ({
    name: `the total that Perplexity reports is the cost, ${stream ? 'streamed' : 'plain'}`,
    client: 'responses',
    model: 'none/responses',
    stream,
    answers: [
      answer({
        usage: {
          ...responses,
          cost: {
            currency: 'USD',
            input_cost: 0.00_005,
            output_cost: 0.00_004,
            tool_calls_cost: 0.005,
            total_cost: 0.00_509,
          },
        },
      }),
    ],
    usage: { ...read, reportedCost: 5_090_000 },
    nano: 5_090_000n,
  })),
  {
    name: 'a cost in another currency is no cost',
    client: 'responses',
    model: 'none/responses',
    answers: [answer({ usage: { ...responses, cost: { currency: 'EUR', total_cost: 0.5 } } })],
    usage: read,
    nano: undefined,
  },
  ...([{ cost_in_usd_ticks: -1 }, { cost_in_usd_ticks: 1e18 }, { cost_in_usd_ticks: '5' }, { cost: {} }] as const).map(
    (cost): OracleCase => ({
      name: `${JSON.stringify(cost)} is no cost`,
      client: 'chat',
      model: 'none/chat',
      answers: [answer({ usage: { ...chat, ...cost } })],
      usage: read,
      nano: undefined,
    }),
  ),
  ...([{ cost: 2e-7 }, { cost: { currency: 'USD', total_cost: 2e-7 } }, { cost_in_usd_ticks: 2_000 }] as const).map(
    (cost): OracleCase => ({
      name: `embeddings cost what their vendor reports: ${JSON.stringify(cost)}`,
      client: 'chat',
      model: 'none/vectors',
      call: { path: '/v1/embeddings', body: JSON.stringify({ model: 'none/vectors', input: 'Hello' }) },
      answers: [
        json({
          object: 'list',
          model: 'unpriced-vectors',
          data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
          usage: { prompt_tokens: 9, total_tokens: 9, ...cost },
        }),
      ],
      usage: { inputUncached: 9, reportedCost: 200 },
      nano: 200n,
    }),
  ),
];

const search = (query: string): Json => ({
  id: `ws_${query}`,
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query },
});
const said = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Good day.', annotations: [] }],
};

/** A stream of InvokeModel that reports its caches with its last event only. */
const invoked = (metrics: Json): readonly WrittenEvent[] =>
  [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 4_995, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good day.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: 'message_stop', 'amazon-bedrock-invocationMetrics': metrics },
  ].map(chunk);

const caches = { cacheReadInputTokens: 4_793, cacheWriteInputTokens: 200 };
const cached = { inputUncached: 2, cacheRead: 4_793, cacheWrite5m: 200, output: 7 };
/** 2 at 2,000, 4,793 at 500, 200 at 2,500 and 7 at 10,000 nano-dollars. */
const cachedCost = 4_000n + 2_396_500n + 500_000n + 70_000n;

/** Figures that a vendor has in a place of its own. */
const elsewhere: readonly OracleCase[] = [
  {
    name: 'searches in the output cost as many units as they are, where no report counts them',
    client: 'responses',
    model: 'searching/responses',
    answers: [
      answer({
        usage: responses,
        top: { output: [search('one'), search('two'), search('three'), said] },
      }),
    ],
    usage: { ...read, units: { webSearches: 3 } },
    nano: 10_000n + 20_000n + 30_000_000n,
  },
  ...(['messages', 'chat'] as const).map((client): OracleCase => ({
    name: `caches that InvokeModel reports last are charged, to a client of ${client}`,
    client,
    model: 'plain/invoke',
    stream: true,
    answers: [
      events(
        invoked({
          inputTokenCount: 2,
          outputTokenCount: 6,
          cacheReadInputTokenCount: 4_793,
          cacheWriteInputTokenCount: 200,
        }),
      ),
    ],
    usage: cached,
    nano: cachedCost,
  })),
  {
    name: 'metrics of InvokeModel without caches change nothing',
    client: 'messages',
    model: 'plain/invoke',
    stream: true,
    answers: [events(invoked({ inputTokenCount: 2, outputTokenCount: 6 }))],
    usage: { inputUncached: 4_995, output: 7 },
    nano: 9_990_000n + 70_000n,
  },
  {
    name: 'cached input that the input of Converse includes is charged once',
    client: 'chat',
    model: 'plain/converse',
    answers: [
      json({
        output: { message: { role: 'assistant', content: [{ text: 'Good day.' }] } },
        stopReason: 'end_turn',
        usage: { ...caches, inputTokens: 4_995, outputTokens: 7, totalTokens: 5_002 },
      }),
    ],
    usage: cached,
    nano: cachedCost,
  },
  {
    name: 'cached input that the input of Converse includes is charged once, streamed',
    client: 'chat',
    model: 'plain/converse',
    stream: true,
    answers: [
      events([
        event('messageStart', { role: 'assistant' }),
        event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Good day.' } }),
        event('contentBlockStop', { contentBlockIndex: 0 }),
        event('messageStop', { stopReason: 'end_turn' }),
        event('metadata', { usage: { ...caches, inputTokens: 4_995, outputTokens: 7, totalTokens: 5_002 } }),
      ]),
    ],
    usage: cached,
    nano: cachedCost,
  },
  {
    name: 'a response of Ollama without counts above 0 is estimated, for its client as well',
    client: 'chat',
    model: 'plain/ollama',
    answers: [
      json({
        model: 'qwen3',
        message: { role: 'assistant', content: 'Good day.' },
        done: true,
        prompt_eval_count: 0,
        eval_count: 0,
      }),
    ],
    usage: { inputUncached: 100, output: 3, source: 'estimated' },
    nano: 200_000n + 30_000n,
    shown: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 },
  },
];

describe('usage and cost by the reports of single vendors', () => {
  let scene: Scene;
  before(async () => {
    scene = await startOracle();
  });
  after(() => scene.stop());

  for (const oracle of [...reported, ...elsewhere]) it(oracle.name, () => consult(scene, oracle).then(() => undefined));
});
