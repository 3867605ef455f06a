import type { ResponseCompactParams } from 'openai/resources/responses/responses';
import { responseText, type CorpusLine, type Json } from '../lines.ts';
import { openaiAt } from '../sdk.ts';
import { asIs, nameModel, type CorpusOperation, type WireAdapter } from '../wire-adapter.ts';

/** Only the wire of OpenAI has it. */
const wires = ['responses'] as const;
export type CompactingWire = (typeof wires)[number];

/** The types of the items that replace a conversation. */
type Items = readonly string[];

const itemsOf = (output: unknown): Items => (output as readonly Json[]).map(({ type }) => String(type));

const card: WireAdapter<Items> = {
  provider: 'openai',
  model: 'gpt-4.1',
  path: () => '/v1/responses/compact',
  forModel: nameModel,
  minimal: () => ({ input: 'Hello' }),
  sample: () => JSON.stringify({ id: 'resp_1', object: 'response.compaction', created_at: 1, output: [] }),
  read: ({ response: { body = {} } }) => itemsOf(body['output']),
  nativeEdits: asIs,
  nativeAnswer: responseText,
  send: async (url, model, body) =>
    itemsOf((await openaiAt(url).responses.compact({ ...body, model } as unknown as ResponseCompactParams)).output),
};

export const compacting: CorpusOperation<CompactingWire, Items> = {
  cards: { responses: card },
  wires,
  routes: [{ path: '/v1/responses/compact', wire: 'responses', operation: 'compact' }],
  compare: (got, recorded) =>
    got.join() === recorded.join() ? undefined : `${got.join()} instead of ${recorded.join()}`,
  failed: () => false,
};

export const wireOfCompaction = ({ style }: CorpusLine): CompactingWire | undefined =>
  style === 'openai-responses-compact' ? 'responses' : undefined;
