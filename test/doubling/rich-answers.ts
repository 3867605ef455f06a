import { framesOf, textOf, type VendorAnswers } from '../matrix/vendors/vendors.ts';
import type { Json, Wire } from '../matrix/wires.ts';
import { growthsOf, renumber, type Growth } from './grow.ts';

const thought = 'Rome, I think.';
const input = '{"city":"Rome"}';

/** A response of each vendor with reasoning, text, citations and two calls. */
export const richAnswers: VendorAnswers = {
  chat: {
    message: {
      content: 'Checking now.',
      reasoning_content: thought,
      reasoning_details: [{ type: 'reasoning.text', text: thought, signature: 'SIG', index: 0, format: 'unknown' }],
      tool_calls: [
        { id: 'call_1', name: 'get_weather', arguments: input },
        { id: 'call_2', name: 'get_time', arguments: input },
      ],
      annotations: [
        {
          type: 'url_citation',
          url_citation: { start_index: 0, end_index: 8, url: 'https://example.org', title: 'x' },
        },
      ],
    },
    finish: 'tool_calls',
  },
  messages: {
    content: [
      { type: 'thinking', thinking: thought, signature: 'SIG' },
      {
        type: 'text',
        text: 'Checking now.',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://example.org',
            title: 'x',
            encrypted_index: 'x',
            cited_text: 'x',
          },
        ],
      },
      { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Rome' } },
      { type: 'tool_use', id: 'toolu_2', name: 'get_time', input: { city: 'Rome' } },
    ],
    finish: 'tool_use',
  },
  responses: {
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: thought }], encrypted_content: 'ENCRYPTED' },
      {
        type: 'message',
        content: [
          {
            type: 'output_text',
            text: 'Checking now.',
            annotations: [
              { type: 'url_citation', start_index: 0, end_index: 8, url: 'https://example.org', title: 'x' },
            ],
          },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: input },
      { type: 'function_call', call_id: 'call_2', name: 'get_time', arguments: input },
    ],
  },
  google: {
    parts: [
      { text: thought, thought: true },
      { text: 'Checking now.' },
      { functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Rome' } }, thoughtSignature: 'U0lH' },
      { functionCall: { name: 'get_time', args: { city: 'Rome' } } },
    ],
    finish: 'STOP',
    candidate: {
      groundingMetadata: {
        webSearchQueries: ['rome'],
        groundingChunks: [{ web: { uri: 'https://example.org', title: 'x' } }],
        groundingSupports: [{ segment: { startIndex: 0, endIndex: 8, text: 'Checking' }, groundingChunkIndices: [0] }],
      },
    },
  },
};

/** A plain response whose lists and objects grow. */
export const plainGrowths = (wire: Wire): readonly Growth[] =>
  growthsOf(JSON.parse(textOf(wire, 'plain', richAnswers)) as Json);

/** A frame: the lines before its data, and the data. */
interface ParsedFrame {
  readonly lines: string;
  readonly data: Json | undefined;
  readonly text: string;
}

const parseFrame = (text: string): ParsedFrame => {
  const found = /^([\s\S]*?)data: (\{[\s\S]*\})\s*$/.exec(text);
  return { lines: found?.[1] ?? '', data: found?.[2] === undefined ? undefined : (JSON.parse(found[2]) as Json), text };
};
const printFrame = ({ lines }: ParsedFrame, data: unknown): string => `${lines}data: ${JSON.stringify(data)}\n\n`;

/** A stream that repeats one frame many times. Growths of streams hold their text as `{ text }`. */
export const streamGrowths = (wire: Wire): readonly Growth[] => {
  const frames = framesOf(wire, richAnswers).map(parseFrame);
  return frames.flatMap((frame, place) => {
    const { data } = frame;
    if (data === undefined) return [];
    const repeat = (print: (number: number) => string) => (size: number) => ({
      text: frames
        .flatMap(({ text }, index) =>
          index === place ? Array.from({ length: size }, (_, number) => print(number)) : [text],
        )
        .join(''),
    });
    const inside = growthsOf(data).filter(({ name }) => name.startsWith('items of') && !name.endsWith('own'));
    return [
      { name: `frame ${place} many times`, at: repeat(() => frame.text) },
      {
        name: `frame ${place} many times, each with an index of its own`,
        at: repeat((number) => printFrame(frame, renumber(data, number))),
      },
      ...inside.map(({ name, at }) => ({
        name: `${name} in frame ${place}`,
        at: (size: number) => ({
          text: frames.map((other, index) => (index === place ? printFrame(frame, at(size)) : other.text)).join(''),
        }),
      })),
    ];
  });
};
