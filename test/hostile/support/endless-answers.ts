import type { ServerResponse } from 'node:http';
import { untilText } from '../../matrix/vendors/breaks.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { responsesFrame } from '../../matrix/vendors/vendor-responses.ts';
import { framesOf } from '../../matrix/vendors/vendors.ts';
import type { Wire } from '../../matrix/wires.ts';

/** Writes as fast as it is taken, until the connection is gone or `most` bytes are written. Returns the bytes. */
export const pour = async (
  response: ServerResponse,
  most: number,
  pieceOf: (index: number) => string,
): Promise<number> => {
  let bytes = 0;
  for (let index = 0; bytes < most && !response.destroyed;) {
    let block = '';
    for (; block.length < 65_536; index += 1) block += pieceOf(index);
    bytes += block.length;
    if (response.write(block)) await new Promise((resolve) => setImmediate(resolve));
    else await new Promise<void>((resolve) => void response.once('drain', resolve).once('close', resolve));
    response.removeAllListeners('drain').removeAllListeners('close');
  }
  response.end();
  return bytes;
};

const sse = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chat = (delta: object, index = 0): string =>
  sse({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index, delta, finish_reason: null }],
  });
const messages = (type: string, members: object): string => `event: ${type}\n${sse({ type, ...members })}`;
const google = (parts: readonly object[], index = 0): string =>
  sse({ candidates: [{ content: { role: 'model', parts }, index }] });

export interface Endless {
  readonly name: string;
  readonly wire: Wire;
  /** What is sent before it. */
  readonly opening: string;
  readonly piece: (index: number) => string;
}

/** Frames before the first content. */
const head = (wire: Wire): string =>
  wire === 'google'
    ? ''
    : framesOf(wire, goodDay)
        .slice(0, wire === 'messages' ? 2 : 1)
        .join('');
/** Frames up to the first text. */
const begun = (wire: Wire): string => framesOf(wire, goodDay).slice(0, untilText[wire]).join('');

const all: readonly Wire[] = ['chat', 'messages', 'responses', 'google'];

/** Endless frames without content. */
export const silent: readonly Endless[] = [
  ...all.map((wire): Endless => ({ name: 'comments', wire, opening: '', piece: () => ': still there\n\n' })),
  ...all.map((wire): Endless => ({
    name: 'one frame',
    wire,
    opening: `${head(wire)}data: {"`,
    piece: () => 'x'.repeat(1_024),
  })),
  { name: 'pings', wire: 'messages', opening: head('messages'), piece: () => messages('ping', {}) },
  {
    name: 'block starts',
    wire: 'messages',
    opening: head('messages'),
    piece: (index) => messages('content_block_start', { index, content_block: { type: 'text', text: '' } }),
  },
  {
    name: 'events of life',
    wire: 'responses',
    opening: head('responses'),
    piece: (index) => responsesFrame({ type: 'response.in_progress', response: { id: 'r', output: [] } }, index),
  },
  {
    name: 'empty messages',
    wire: 'responses',
    opening: head('responses'),
    piece: (index) =>
      responsesFrame(
        {
          type: 'response.output_item.added',
          output_index: index,
          item: { id: `m${index}`, type: 'message', content: [] },
        },
        index,
      ),
  },
  { name: 'empty deltas', wire: 'chat', opening: head('chat'), piece: () => chat({ content: '' }) },
  { name: 'new choices', wire: 'chat', opening: head('chat'), piece: (index) => chat({}, index) },
  { name: 'empty parts', wire: 'google', opening: '', piece: () => google([]) },
];

/** Text of a frame: 64 MB of short frames would take a second for each pair of wires. */
const LONG = 'x'.repeat(16_000);

/** Endless frames after the first text. */
export const talkative: readonly Endless[] = [
  { name: 'text', wire: 'chat', opening: begun('chat'), piece: () => chat({ content: LONG }) },
  {
    name: 'text',
    wire: 'messages',
    opening: begun('messages'),
    piece: () => messages('content_block_delta', { index: 0, delta: { type: 'text_delta', text: LONG } }),
  },
  {
    name: 'text',
    wire: 'responses',
    opening: begun('responses'),
    piece: (index) =>
      responsesFrame(
        {
          type: 'response.output_text.delta',
          item_id: 'msg_0',
          output_index: 0,
          content_index: 0,
          delta: LONG,
          logprobs: [],
        },
        index,
      ),
  },
  { name: 'text', wire: 'google', opening: begun('google'), piece: () => google([{ text: LONG }]) },
  ...all.map((wire): Endless => ({ name: 'comments', wire, opening: begun(wire), piece: () => `: ${LONG}\n\n` })),
];

/** Endless frames of which a translation keeps a part in memory. */
export const hoarding: readonly Endless[] = [
  {
    name: 'new calls',
    wire: 'chat',
    opening: begun('chat'),
    piece: (index) =>
      chat({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'f', arguments: '' } }] }),
  },
  {
    name: 'arguments of calls without a name',
    wire: 'chat',
    opening: begun('chat'),
    piece: (index) => chat({ tool_calls: [{ index: index % 8, function: { arguments: 'x'.repeat(1_000) } }] }),
  },
  { name: 'new choices', wire: 'chat', opening: begun('chat'), piece: (index) => chat({}, index) },
  {
    name: 'annotations',
    wire: 'chat',
    opening: begun('chat'),
    piece: (index) =>
      chat({
        annotations: [
          {
            type: 'url_citation',
            url_citation: { url: `https://a.test/${index}`, title: 't', start_index: 0, end_index: 1 },
          },
        ],
      }),
  },
  {
    name: 'new blocks',
    wire: 'messages',
    opening: begun('messages'),
    piece: (index) => messages('content_block_start', { index: index + 1, content_block: { type: 'unheard_of' } }),
  },
  {
    name: 'citations',
    wire: 'messages',
    opening: begun('messages'),
    piece: (index) =>
      messages('content_block_delta', {
        index: 0,
        delta: {
          type: 'citations_delta',
          citation: { type: 'web_search_result_location', url: `https://a.test/${index}` },
        },
      }),
  },
  {
    name: 'an unknown block',
    wire: 'messages',
    opening: `${begun('messages')}${messages('content_block_start', { index: 9, content_block: { type: 'unheard_of', text: '' } })}`,
    piece: () => messages('content_block_delta', { index: 9, delta: { type: 'unheard_of', text: 'x'.repeat(1_000) } }),
  },
  {
    name: 'arguments',
    wire: 'messages',
    opening: `${begun('messages')}${messages('content_block_start', { index: 9, content_block: { type: 'tool_use', id: 'a', name: 'f', input: {} } })}`,
    piece: () =>
      messages('content_block_delta', {
        index: 9,
        delta: { type: 'input_json_delta', partial_json: 'x'.repeat(1_000) },
      }),
  },
  {
    name: 'new items',
    wire: 'responses',
    opening: begun('responses'),
    piece: (index) =>
      responsesFrame(
        {
          type: 'response.output_item.added',
          output_index: index + 1,
          item: { id: `m${index}`, type: 'message', content: [] },
        },
        index,
      ),
  },
  {
    name: 'reasoning with its proof',
    wire: 'responses',
    opening: begun('responses'),
    piece: (index) =>
      responsesFrame(
        {
          type: 'response.output_item.done',
          output_index: index + 1,
          item: { id: `r${index}`, type: 'reasoning', summary: [], encrypted_content: 'x'.repeat(1_000) },
        },
        index,
      ),
  },
  {
    name: 'calls',
    wire: 'google',
    opening: begun('google'),
    piece: (index) => google([{ functionCall: { name: 'f', args: { index } } }]),
  },
  {
    name: 'pieces of arguments',
    wire: 'google',
    opening: `${begun('google')}${google([{ functionCall: { name: 'f', willContinue: true } }])}`,
    piece: (index) =>
      google([
        {
          functionCall: {
            partialArgs: [{ jsonPath: `$.a${index}`, stringValue: 'x'.repeat(500) }],
            willContinue: true,
          },
        },
      ]),
  },
  {
    name: 'members of a candidate',
    wire: 'google',
    opening: begun('google'),
    piece: (index) => sse({ candidates: [{ index: 0, [`member${index}`]: 'x'.repeat(100) }] }),
  },
];
