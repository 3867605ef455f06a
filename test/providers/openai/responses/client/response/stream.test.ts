import { expect } from 'chai';
import { GatewayError } from '../../../../../../core/api/index.ts';
import { sealProof, type GenerateEvent } from '../../../../../../core/api/codec.ts';
import {
  answerOf,
  decode,
  eventsOf,
  goldenEvents,
  goldenSse,
  respond,
  sseOf,
  textEvents,
  writeFrames,
  type WrittenFrame,
} from '../harness.ts';

const start: GenerateEvent = { type: 'response-start', id: 'resp_1', model: 'p/m' };
const proving = decode({ stream: true, include: ['reasoning.encrypted_content'] });
const typesOf = (frames: readonly WrittenFrame[]): readonly string[] =>
  frames.map(({ event }) => event.replace('response.', ''));
const lastOf = (frames: readonly WrittenFrame[]): Record<string, unknown> =>
  frames.at(-1)?.data['response'] as Record<string, unknown>;
const finish = (reason: 'stop' | 'length' | 'content_filter' | 'refusal'): readonly GenerateEvent[] => [
  { type: 'choice-end', choice: 0, finish: { reason } },
  { type: 'response-end' },
];
const error: GenerateEvent = { type: 'error', error: new GatewayError('upstream_reset') };
const call = (part: number, text?: string): readonly GenerateEvent[] => [
  { type: 'part-start', choice: 0, part, kind: 'tool-call', call: { id: `call_${part}`, name: 'f', kind: 'function' } },
  ...(text === undefined ? [] : [{ type: 'part-delta', choice: 0, part, text } as const]),
];

describe('responses: client stream', () => {
  it('writes the golden stream, event by event', () => {
    const golden = goldenSse()
      .trim()
      .split('\n\n')
      .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as WrittenFrame['data']);
    const frames = writeFrames(goldenEvents, proving);
    // The golden stream joins the two fragments of the arguments.
    const isSecond = (data: WrittenFrame['data']): boolean => data['delta'] === '"Paris"}';
    const ours = frames
      .map(({ data }) => data)
      .filter((data) => !isSecond(data))
      .map((data, index) => ({
        ...data,
        sequence_number: index,
        ...(data['delta'] === '{"city":' ? { delta: '{"city":"Paris"}' } : {}),
      }));
    const without = ({ response: _response, ...data }: WrittenFrame['data']) => data;
    expect(ours.map(without)).to.deep.equal(golden.map(without));
  });

  it('numbers events without gaps and names each by its type', () => {
    for (const events of [goldenEvents, [error], [start, ...textEvents(0, 'a'), error]]) {
      const frames = writeFrames(events, proving);
      expect(frames.map(({ data }) => data.sequence_number)).to.deep.equal(frames.map((_frame, index) => index));
      for (const { event, data } of frames) expect(data.type).to.equal(event);
    }
  });

  it('E28: E29: writes only events of this wire, and no [DONE]', () => {
    const text = sseOf(writeFrames(goldenEvents, proving));
    expect(text).not.to.include('[DONE]');
    expect(
      typesOf(
        writeFrames([
          start,
          {
            type: 'part-start',
            choice: 0,
            part: 0,
            kind: 'opaque',
            value: { type: 'opaque', wire: 'messages', value: { type: 'ping' } },
          },
          { type: 'part-end', choice: 0, part: 0 },
          ...finish('stop'),
        ]),
      ),
    ).to.deep.equal(['created', 'in_progress', 'completed']);
  });

  it('a stream ends with the object of the plain response', () => {
    const response = answerOf(
      [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'a' },
        { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}' },
      ],
      { finish: { reason: 'tool_calls' } },
    );
    expect(lastOf(writeFrames(eventsOf(response), decode()))).to.deep.equal(respond(response).body);
  });

  it('a stream starts with the settings of the request and an empty output', () => {
    const [created, progress] = writeFrames([start], decode({ stream: true, temperature: 0.5, metadata: { a: 'b' } }));
    expect(created?.data['response']).to.deep.include({
      id: 'resp_1',
      status: 'in_progress',
      output: [],
      temperature: 0.5,
      metadata: { a: 'b' },
      usage: null,
      error: null,
    });
    expect(created?.data['response']).not.to.have.property('output_text');
    expect(progress?.data['response']).to.deep.equal(created?.data['response']);
  });

  it('never interleaves items: the second waits until the first is finished', () => {
    const frames = writeFrames([
      start,
      ...call(0),
      ...call(1, '{"b":1}'),
      { type: 'part-end', choice: 0, part: 1 },
      { type: 'part-delta', choice: 0, part: 0, text: '{}' },
      { type: 'part-end', choice: 0, part: 0 },
      ...finish('stop'),
    ]);
    const places = frames
      .filter(({ event }) => event.startsWith('response.output_item') || event.startsWith('response.function'))
      .map(({ data }) => data['output_index']);
    expect(places).to.deep.equal([...places].sort());
    expect(new Set(places)).to.deep.equal(new Set([0, 1]));
  });

  it('repeats the id of an item in every event about it', () => {
    const frames = writeFrames(goldenEvents, proving);
    const ids = ['rs_1', 'msg_1', 'fc_1', 'fc_2'];
    for (const { data } of frames) {
      if (typeof data['output_index'] !== 'number') continue;
      const item = data['item'] as { id: string } | undefined;
      expect(item?.id ?? data['item_id']).to.equal(ids[data['output_index']]);
    }
  });

  it('writes the item in which the response was cut as incomplete', () => {
    const frames = writeFrames([
      start,
      ...textEvents(0, 'a'),
      ...call(1, '{"a":'),
      { type: 'part-end', choice: 0, part: 1 },
      ...finish('length'),
    ]);
    expect(
      frames
        .filter(({ event }) => event === 'response.output_item.done')
        .map(({ data }) => (data['item'] as { status: string }).status),
    ).to.deep.equal(['completed', 'incomplete']);
    expect(frames.at(-1)?.event).to.equal('response.incomplete');
    expect(lastOf(frames)).to.deep.include({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });

  it('E33: a stream ends as incomplete after a refusal without text', () => {
    const frames = writeFrames([start, ...finish('refusal')]);
    expect(typesOf(frames)).to.deep.equal(['created', 'in_progress', 'incomplete']);
    expect(lastOf(frames)).to.deep.include({ output: [], incomplete_details: { reason: 'content_filter' } });
  });

  it('a stream always ends with a terminal event', () => {
    const frames = writeFrames([
      start,
      { type: 'choice-end', choice: 0, finish: { reason: 'pause', vendor: 'queued' } },
      { type: 'response-end' },
    ]);
    expect(frames.at(-1)?.event).to.equal('response.completed');
    expect(lastOf(frames)['status']).to.equal('queued');
  });

  it('E30: a stream that is cut fails with the output so far, including the text that was cut', () => {
    const frames = writeFrames([
      start,
      ...textEvents(0, 'one'),
      { type: 'part-start', choice: 0, part: 1, kind: 'text' },
      { type: 'part-delta', choice: 0, part: 1, text: 'tw' },
      {
        type: 'usage',
        usage: {
          inputUncached: 3,
          cacheRead: 0,
          cacheWrite5m: 0,
          cacheWrite1h: 0,
          output: 1,
          reasoning: 0,
          source: 'provider',
        },
      },
      error,
    ]);
    const response = lastOf(frames);
    expect(frames.at(-1)?.event).to.equal('response.failed');
    expect(response).to.deep.include({
      status: 'failed',
      error: { code: 'server_error', message: 'The provider closed the connection.' },
      output_text: 'onetw',
    });
    expect(response['output']).to.deep.equal([
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'incomplete',
        content: [
          { type: 'output_text', text: 'one', annotations: [], logprobs: [] },
          { type: 'output_text', text: 'tw', annotations: [], logprobs: [] },
        ],
      },
    ]);
    expect(response['usage']).to.deep.include({ input_tokens: 3, output_tokens: 1 });
  });

  it('E31: a stream fails with the whole object, also when it is only an error', () => {
    const frames = writeFrames([{ type: 'error', error: new GatewayError('upstream_overloaded') }]);
    expect(typesOf(frames)).to.deep.equal(['created', 'in_progress', 'failed']);
    expect(lastOf(frames)).to.deep.include({
      id: 'resp_1',
      object: 'response',
      status: 'failed',
      output: [],
      error: { code: 'server_error', message: 'The provider is overloaded.' },
    });
  });

  it('E32: never finishes a call that the stream ended in, and does not show it', () => {
    const frames = writeFrames([start, ...call(0, '{"city":"Pa'), error]);
    expect(typesOf(frames)).to.deep.equal([
      'created',
      'in_progress',
      'output_item.added',
      'function_call_arguments.delta',
      'failed',
    ]);
    expect(lastOf(frames)['output']).to.deep.equal([]);
  });

  it('writes reasoning that was cut once', () => {
    const reasoning: readonly GenerateEvent[] = [
      { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
      { type: 'part-delta', choice: 0, part: 0, text: 'hm' },
    ];
    expect(lastOf(writeFrames([start, ...reasoning, error]))['output']).to.deep.equal([
      { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
    ]);
    expect(
      lastOf(writeFrames([start, ...reasoning, { type: 'part-end', choice: 0, part: 0 }, error]))['output'],
    ).to.have.length(1);
  });

  it('hides excluded reasoning and writes its proof', () => {
    const proof = { origin: { provider: 'a', family: 'b' }, value: 'SIG' };
    const events: readonly GenerateEvent[] = [
      start,
      { type: 'part-start', choice: 0, part: 0, kind: 'reasoning' },
      { type: 'part-delta', choice: 0, part: 0, text: 'secret' },
      { type: 'part-end', choice: 0, part: 0, proof },
      ...finish('stop'),
    ];
    const frames = writeFrames(events, { ...proving, reasoning: { show: false } });
    expect(sseOf(frames)).not.to.include('secret');
    expect(typesOf(frames)).to.deep.equal([
      'created',
      'in_progress',
      'output_item.added',
      'output_item.done',
      'completed',
    ]);
    expect(lastOf(frames)['output']).to.deep.equal([
      { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: sealProof(proof) },
    ]);
  });

  it('writes annotations before the text is done', () => {
    const [, ...others] = textEvents(0, 'abc');
    const citations = [{ url: 'https://a.b', title: 'T', vendor: { wire: 'messages', value: {} } }];
    const frames = writeFrames([
      start,
      { type: 'part-start', choice: 0, part: 0, kind: 'text' },
      ...others.map((event) => (event.type === 'part-end' ? { ...event, citations } : event)),
      ...finish('stop'),
    ]);
    expect(typesOf(frames).slice(2, -1)).to.deep.equal([
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.annotation.added',
      'output_text.done',
      'content_part.done',
      'output_item.done',
    ]);
    expect(frames.find(({ event }) => event.endsWith('annotation.added'))?.data).to.deep.include({
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      annotation_index: 0,
      annotation: { type: 'url_citation', url: 'https://a.b', title: 'T', start_index: 0, end_index: 3 },
    });
  });

  it('writes refusals and custom tool input as their own events', () => {
    const events: readonly GenerateEvent[] = [
      start,
      { type: 'part-start', choice: 0, part: 0, kind: 'refusal' },
      { type: 'part-delta', choice: 0, part: 0, text: 'No.' },
      { type: 'part-end', choice: 0, part: 0 },
      { type: 'part-start', choice: 0, part: 1, kind: 'tool-call', call: { id: 'c', name: 'patch', kind: 'custom' } },
      { type: 'part-delta', choice: 0, part: 1, text: '***' },
      { type: 'part-end', choice: 0, part: 1 },
      ...finish('stop'),
    ];
    const frames = writeFrames(events);
    const message = [
      'output_item.added',
      'content_part.added',
      'refusal.delta',
      'refusal.done',
      'content_part.done',
      'output_item.done',
    ];
    const patch = [
      'output_item.added',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.done',
      'output_item.done',
    ];
    expect(typesOf(frames).slice(2, -1)).to.deep.equal([...message, ...patch]);
    expect(frames.find(({ event }) => event === 'response.refusal.done')?.data).to.include({
      refusal: 'No.',
      content_index: 0,
    });
    expect(frames.find(({ event }) => event === 'response.custom_tool_call_input.done')?.data).to.include({
      input: '***',
      item_id: 'ctc_1',
      output_index: 1,
    });
  });

  it('writes only the first choice of several', () => {
    const other: readonly GenerateEvent[] = textEvents(0, 'other').map(
      (event) => ({ ...event, choice: 1 }) as GenerateEvent,
    );
    expect(
      lastOf(
        writeFrames([
          start,
          ...textEvents(0, 'first'),
          ...other,
          { type: 'choice-end', choice: 0, finish: { reason: 'stop' } },
          { type: 'choice-end', choice: 1, finish: { reason: 'length' } },
          { type: 'response-end' },
        ]),
      ),
    ).to.include({ output_text: 'first', status: 'completed' });
  });
});
