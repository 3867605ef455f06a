import { event } from '../../providers/bedrock/write-events.ts';
import type { Json } from './rule.ts';
import type { Said } from './script.ts';
import { argumentsOf, events, frames, plain, proofOf, thoughtOf, wordsOf, type Asked, type Writer } from './written.ts';

const converseBlocks = (said: Said, { thinks }: Asked): readonly Json[] => [
  ...(thinks
    ? [{ reasoningContent: { reasoningText: { text: thoughtOf(said.step), signature: proofOf(said.step) } } }]
    : []),
  ...wordsOf(said).map((text) => ({ text })),
  ...said.calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
];
const converseUsage = { inputTokens: 12, outputTokens: 7, totalTokens: 19 };
const converseStop = ({ calls }: Said): Json => ({ stopReason: calls.length === 0 ? 'end_turn' : 'tool_use' });

const converseDeltas = (said: Said, asked: Asked): readonly ReturnType<typeof event>[] =>
  converseBlocks(said, asked).flatMap((block, contentBlockIndex) => {
    const delta = (value: Json) => event('contentBlockDelta', { contentBlockIndex, delta: value });
    const call = said.calls.find(({ id }) => JSON.stringify(block).includes(`"toolUseId":"${id}"`));
    const begun =
      call === undefined
        ? []
        : [
            event('contentBlockStart', {
              contentBlockIndex,
              start: { toolUse: { toolUseId: call.id, name: call.name } },
            }),
          ];
    const deltas =
      call !== undefined
        ? [delta({ toolUse: { input: argumentsOf(call) } })]
        : 'text' in block
          ? [delta(block)]
          : [
              delta({ reasoningContent: { text: thoughtOf(said.step) } }),
              delta({ reasoningContent: { signature: proofOf(said.step) } }),
            ];
    return [...begun, ...deltas, event('contentBlockStop', { contentBlockIndex })];
  });

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const writeConverse: Writer = (said, asked) =>
  plain(
    JSON.stringify({
      output: { message: { role: 'assistant', content: converseBlocks(said, asked) } },
      ...converseStop(said),
      usage: converseUsage,
    }),
  );
/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const writeConverseStream: Writer = (said, asked) =>
  events([
    event('messageStart', { role: 'assistant' }),
    ...converseDeltas(said, asked),
    event('messageStop', converseStop(said)),
    event('metadata', { usage: converseUsage }),
  ]);

const cohereCalls = ({ calls }: Said): readonly Json[] =>
  calls.map((call) => ({ id: call.id, type: 'function', function: { name: call.name, arguments: argumentsOf(call) } }));
const cohereEnd = ({ calls }: Said): Json => ({
  finish_reason: calls.length === 0 ? 'COMPLETE' : 'TOOL_CALL',
  usage: { tokens: { input_tokens: 12, output_tokens: 7 } },
});
/** The blocks of a message: a thought is one of its own, before the text. https://docs.cohere.com/docs/reasoning */
const cohereBlocks = (said: Said, { thinks }: Asked): readonly Json[] => [
  ...(thinks ? [{ type: 'thinking', thinking: thoughtOf(said.step) }] : []),
  ...(said.calls.length > 0 ? [] : wordsOf(said).map((text) => ({ type: 'text', text }))),
];
const cohereEvents = (said: Said, asked: Asked): readonly Json[] => {
  const delta = (type: string, message: Json, index = 0): Json => ({ type, index, delta: { message } });
  const begun = { type: 'message-start', id: 'a', delta: { message: { role: 'assistant', content: [] } } };
  const blocks = cohereBlocks(said, asked).flatMap(({ type, ...content }, index) => [
    delta('content-start', { content: { type, [String(type)]: '' } }, index),
    delta('content-delta', { content }, index),
    { type: 'content-end', index },
  ]);
  const plan =
    said.calls.length === 0 ? [] : wordsOf(said).map((text) => delta('tool-plan-delta', { tool_plan: text }));
  const calls = cohereCalls(said).flatMap((call, index) => [
    delta('tool-call-start', { tool_calls: call }, index),
    { type: 'tool-call-end', index },
  ]);
  return [begun, ...blocks, ...plan, ...calls, { type: 'message-end', delta: cohereEnd(said) }];
};
const cohereMessage = (said: Said, asked: Asked): Json => {
  const content = cohereBlocks(said, asked);
  return {
    role: 'assistant',
    ...(content.length === 0 ? {} : { content }),
    ...(said.calls.length === 0 ? {} : { tool_plan: said.text ?? '', tool_calls: cohereCalls(said) }),
  };
};

/** https://docs.cohere.com/docs/streaming */
export const writeCohere: Writer = (said, asked) =>
  asked.isStreamed
    ? frames(
        cohereEvents(said, asked).map((data) => `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`),
      )
    : plain(JSON.stringify({ id: 'a', message: cohereMessage(said, asked), ...cohereEnd(said) }));

const ollamaLines = (said: Said, { thinks }: Asked): readonly Json[] => {
  const head = { model: 'm', created_at: '2026-01-01T00:00:00Z' };
  const calls = said.calls.map(({ name, input }) => ({ function: { name, arguments: input } }));
  const message = {
    role: 'assistant',
    content: said.text ?? '',
    ...(thinks ? { thinking: thoughtOf(said.step) } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const end = { done: true, done_reason: 'stop', prompt_eval_count: 12, eval_count: 7 };
  return [
    { ...head, message, done: false },
    { ...head, message: { role: 'assistant', content: '' }, ...end },
  ];
};
/** https://docs.ollama.com/api/chat */
export const writeOllama: Writer = (said, asked) => {
  const [first, end] = ollamaLines(said, asked);
  return asked.isStreamed
    ? { ...plain(`${JSON.stringify(first)}\n${JSON.stringify(end)}\n`), type: 'application/x-ndjson' }
    : plain(JSON.stringify({ ...end, message: first?.['message'] }));
};
