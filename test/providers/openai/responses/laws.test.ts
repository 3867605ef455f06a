import type { GenerateResponse, JsonObject, Part } from '../../../../core/api/index.ts';
import { codecLaws, comparableResponse, type Recording } from '../../../../core/testing/index.ts';
import { responsesCodec } from '../../../../providers/openai/responses/index.ts';
import { readCorpus } from './upstream/harness.ts';
import { testLaws } from '../../../core/testing/test-laws.ts';
import { clientRulesOf } from '../../frame-rules.ts';

/** Recordings of the wire's own vendor. Those of other servers are tested in corpus/. */
const files = ['openai-responses', 'openai-responses-stream'] as const;
/** The laws split every stream at every place, so a part of the recordings keeps the test fast. */
const SHARE = 4;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Items that are decoded and written again, instead of being kept as they are. */
const translated = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  undefined,
]);
/** Ids and states that only the vendor assigns are never made up, so they do not come back. */
const withoutIds = (item: unknown): unknown => {
  if (!isObject(item) || !translated.has(item['type'] as string | undefined)) return item;
  const { id: _id, status: _status, ...others } = item;
  return others;
};

/** Sets the encoder's defaults (no storage, no strict schema), so that the result can be compared. */
const withDefaults = (body: JsonObject): JsonObject => ({
  ...body,
  store: body['store'] ?? false,
  ...(Array.isArray(body['input']) ? { input: body['input'].map(withoutIds) } : {}),
  ...(Array.isArray(body['tools'])
    ? {
        tools: body['tools'].map((tool: unknown) =>
          isObject(tool) && tool['type'] === 'function' ? { ...tool, strict: tool['strict'] ?? false } : tool,
        ),
      }
    : {}),
});

const recordings = files.flatMap((file) =>
  (readCorpus(file) ?? [])
    .filter((_recording, index) => index % SHARE === 0)
    .map(({ id, request: { body }, response: { status, sse, body: answer } }): Recording => ({
      name: id,
      origin: `recorded from ${file}`,
      wire: 'responses',
      ...(isObject(body) && typeof body['model'] === 'string' ? { request: { body: withDefaults(body) } } : {}),
      response: { status, ...(sse === undefined ? { body: answer } : { text: sse }) },
      expected: 'unread',
    })),
);

/** A client that did not ask for proofs gets none, nor the items that hold only a proof. */
const withoutProofs = (part: Part): readonly Part[] => {
  if (part.type !== 'reasoning') return [part];
  const { proof: _proof, ...shown } = part;
  return shown.text === '' ? [] : [shown];
};
const simplify = (response: GenerateResponse) =>
  comparableResponse({
    ...response,
    choices: response.choices.map((choice) => ({ ...choice, parts: choice.parts.flatMap(withoutProofs) })),
  });

describe('codec laws: responses', () => {
  if (recordings.length === 0) it('the codec laws hold for recorded traffic');
  if (recordings.length > 0)
    testLaws(codecLaws(responsesCodec, recordings, { ...clientRulesOf('responses'), simplify }));
});
