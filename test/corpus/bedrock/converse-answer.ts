import { parseArguments, type Answer, type Reason } from '../answers/answer.ts';
import type { Json } from '../lines.ts';
import type { BedrockLine } from './lines.ts';

type Members = Readonly<Record<string, unknown>>;
const members = (value: unknown): Members => (value ?? {}) as Members;
const list = (value: unknown): readonly Members[] => (value ?? []) as readonly Members[];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => Number(value ?? 0);

const reasons: Readonly<Record<string, Reason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  model_context_window_exceeded: 'context_overflow',
};

const usageOf = (usage: Members | undefined): Answer['usage'] =>
  usage === undefined
    ? undefined
    : {
        input:
          count(usage['inputTokens']) + count(usage['cacheReadInputTokens']) + count(usage['cacheWriteInputTokens']),
        cacheRead: count(usage['cacheReadInputTokens']),
        output: count(usage['outputTokens']),
      };

const textOf = ({ text: plain, citationsContent }: Members): string =>
  text(plain) +
  list(members(citationsContent)['content'])
    .map((part) => text(part['text']))
    .join('');

/** The content of a recorded response of Converse. It does not use the code under test. */
const readBody = ({ output, stopReason, usage, trace, additionalModelResponseFields: fields }: Json): Answer => {
  const content = list(members(members(output)['message'])['content']);
  const { stop_sequence: plain, delta } = members(fields);
  const hasSequence = typeof (plain ?? members(delta)['stop_sequence']) === 'string';
  const reason = reasons[text(stopReason)] ?? 'stop';
  return {
    text: content.map(textOf).join(''),
    refusal: '',
    explanation: text(members(members(trace)['guardrail'])['actionReason']),
    reasoning: content
      .map(({ reasoningContent }) => text(members(members(reasoningContent)['reasoningText'])['text']))
      .join(''),
    calls: content.flatMap(({ toolUse }) =>
      toolUse === undefined || members(toolUse)['type'] === 'server_tool_use'
        ? []
        : [{ name: text(members(toolUse)['name']), input: members(toolUse)['input'] }],
    ),
    finish: text(stopReason),
    reason: stopReason === 'stop_sequence' && hasSequence ? 'stop_sequence' : reason,
    usage: usageOf(usage as Members | undefined),
  };
};

/** A stream, accumulated into the body of a plain response. */
const accumulate = (events: NonNullable<BedrockLine['response']['eventstream']>): Json => {
  const blocks = new Map<unknown, { toolUse?: Members; text: string; reasoning: string; input: string }>();
  let body: Json = {};
  for (const { headers, payload } of events) {
    const { contentBlockIndex: index, start, delta, ...rest } = payload as Json;
    const block = blocks.get(index) ?? { text: '', reasoning: '', input: '' };
    const { toolUse, reasoningContent, text: piece } = members(delta);
    if (headers[':event-type']?.startsWith('contentBlock') === true) blocks.set(index, block);
    else body = { ...body, ...rest };
    if (members(start)['toolUse'] !== undefined) block.toolUse = members(members(start)['toolUse']);
    block.text += text(piece);
    block.reasoning += text(members(reasoningContent)['text']);
    block.input += text(members(toolUse)['input']);
  }
  const content = [...blocks.values()].map(({ toolUse, text: said, reasoning, input }) => ({
    ...(toolUse === undefined ? {} : { toolUse: { ...toolUse, input: parseArguments(input) } }),
    ...(said === '' ? {} : { text: said }),
    ...(reasoning === '' ? {} : { reasoningContent: { reasoningText: { text: reasoning } } }),
  }));
  return { ...body, output: { message: { content } } };
};

export const readRecordedConverse = ({ response }: BedrockLine): Answer =>
  readBody(response.eventstream === undefined ? (response.body ?? {}) : accumulate(response.eventstream));
