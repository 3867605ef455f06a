import { expect } from 'chai';
import * as fc from 'fast-check';
import { GatewayError, type JsonObject } from '../../../../../../core/api/index.ts';
import { foldEvents, type GenerateEvent } from '../../../../../../core/api/codec.ts';
import { checkEventGrammar } from '../../../../../../core/testing/index.ts';
import { createTap } from '../../../../../../providers/openai/responses/upstream/response/tap.ts';
import { isLinear } from '../../../../../support/time/growth.ts';
import { completed, created, event, foldOf, origin, readBytes, readEvents, readSse, sseOf } from '../harness.ts';

const message = (text: string, members: JsonObject = {}): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...members,
});
const added = (item: JsonObject, index = 0): JsonObject => event('output_item.added', { output_index: index, item });
const done = (item: JsonObject, index = 0): JsonObject => event('output_item.done', { output_index: index, item });
const at = { output_index: 0, item_id: 'msg_1', content_index: 0 };
const delta = (text: string): JsonObject => event('output_text.delta', { ...at, delta: text });
const shell = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
const greeting = [
  created,
  event('in_progress', { response: { id: 'resp_1' } }),
  added(shell),
  event('content_part.added', { ...at, part: { type: 'output_text', text: '' } }),
  delta('Hel'),
  delta('lo'),
  event('output_text.done', { ...at, text: 'Hello' }),
  event('content_part.done', { ...at, part: { type: 'output_text', text: 'Hello' } }),
  done(message('Hello')),
  completed([message('Hello')], { usage: { input_tokens: 3, output_tokens: 2 } }),
];
const textsOf = (events: readonly GenerateEvent[]) =>
  events.flatMap((found) => (found.type === 'part-delta' ? [found.text] : []));
const errorOf = (events: readonly GenerateEvent[]) => {
  const last = events.at(-1);
  if (last?.type !== 'error' || !GatewayError.is(last.error)) throw new Error('the stream does not end in an error');
  return last.error;
};
const partsOf = (...events: readonly JsonObject[]) => foldOf(created, ...events).choices[0]?.parts;

describe('responses: upstream stream', () => {
  it('reads deltas, and does not repeat the text of done events', () => {
    expect(textsOf(readEvents(...greeting))).to.deep.equal(['Hel', 'lo']);
    expect(foldOf(...greeting)).to.deep.include({ id: 'resp_1', model: 'm' });
    expect(readEvents(...greeting).map(({ type }) => type)).to.deep.equal([
      'response-start',
      'part-start',
      'part-delta',
      'part-delta',
      'part-end',
      'choice-end',
      'usage',
      'response-end',
    ]);
  });

  it('counts the searches of a stream whose last event has no output, on both lanes', () => {
    const search = (id: string, action: JsonObject): JsonObject => ({ type: 'web_search_call', id, action });
    const events = [
      created,
      added(search('ws_1', {})),
      done(search('ws_1', { type: 'search', query: 'one' })),
      done(search('ws_2', { type: 'search', query: 'two' }), 1),
      done(search('ws_3', { type: 'open_page', url: 'https://example.com' }), 2),
      done(message('Hello'), 3),
      completed([], { usage: { input_tokens: 3, output_tokens: 2 } }),
    ];
    const tap = createTap();
    for (const data of events) tap.inspectFrame({ event: undefined, data: JSON.stringify(data) });
    expect(foldOf(...events).usage?.units).to.deep.equal({ webSearches: 2 });
    expect(tap.observed.usage?.units).to.deep.equal({ webSearches: 2 });
  });

  it('reads text once that the stream numbers otherwise than the finished item', () => {
    const renumber = (found: JsonObject): JsonObject =>
      'content_index' in found ? { ...found, content_index: 1 } : found;
    expect(textsOf(readEvents(...greeting.map(renumber)))).to.deep.equal(['Hel', 'lo']);
    const short = greeting.map(renumber).filter(({ type }) => !String(type).endsWith('text.done'));
    const ended = short.map((found) =>
      found['type'] === 'response.output_item.done' ? done(message('Hello!')) : found,
    );
    expect(textsOf(readEvents(...ended))).to.deep.equal(['Hel', 'lo', '!']);
  });

  it('reads the same without event lines, and with [DONE] at the end', () => {
    const events = readEvents(...greeting);
    expect(readSse(sseOf(greeting, false))).to.deep.equal(events);
    expect(readSse(`${sseOf(greeting)}data: [DONE]\n\n`)).to.deep.equal(events);
  });

  it('reads the same without item ids, or without output indices', () => {
    const without = (name: string) =>
      greeting.map((found) => Object.fromEntries(Object.entries(found).filter(([member]) => member !== name)));
    expect(readEvents(...without('item_id'))).to.deep.equal(readEvents(...greeting));
    expect(readEvents(...without('output_index'))).to.deep.equal(readEvents(...greeting));
  });

  it('keeps items separate whose ids change between events', () => {
    const renamed = greeting.map((found, index) =>
      'item_id' in found ? { ...found, item_id: `opaque_${index}` } : found,
    );
    expect(readEvents(...renamed)).to.deep.equal(readEvents(...greeting));
  });

  it('distinguishes items of a server that numbers them all 0', () => {
    const next = (text: string) => event('output_text.delta', { ...at, item_id: 'msg_2', delta: text });
    const events = readEvents(
      created,
      added(shell),
      delta('a'),
      done(message('a')),
      added({ ...shell, id: 'msg_2' }),
      next('!'),
      next('?'),
      done(message('!?', { id: 'msg_2' })),
      completed([]),
    );
    expect(textsOf(events)).to.deep.equal(['a', '!', '?']);
    expect(foldEvents(events).choices[0]?.parts).to.deep.equal([
      { type: 'text', text: 'a' },
      { type: 'text', text: '!?' },
    ]);
  });

  it('emits one part for each content of a message, none of them twice', () => {
    const second = (text: string) => event('output_text.delta', { ...at, content_index: 1, delta: text });
    const both = message('', {
      content: [
        { type: 'output_text', text: 'a' },
        { type: 'output_text', text: 'b' },
      ],
    });
    expect(
      partsOf(
        added(shell),
        delta('a'),
        second('b'),
        event('output_text.done', { ...at, text: 'a' }),
        done(both),
        completed([both]),
      ),
    ).to.deep.equal([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
  });

  it('ignores events of an item that has ended', () => {
    const parts = partsOf(
      added(shell),
      delta('a'),
      done(message('a')),
      delta('late'),
      event('output_text.done', { ...at, text: 'a late' }),
      done(message('a late')),
      completed([]),
    );
    expect(parts).to.deep.equal([{ type: 'text', text: 'a' }]);
  });

  it('takes from the finished item what no delta brought', () => {
    const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}' };
    expect(
      partsOf(
        added({ ...call, arguments: '' }),
        event('function_call_arguments.done', { output_index: 0, item_id: 'fc_1', arguments: '{"a":1}' }),
        done(call),
        completed([]),
      ),
    ).to.deep.equal([{ type: 'tool-call', id: 'call_1', name: 'f', kind: 'function', input: '{"a":1}' }]);
    expect(partsOf(done(call), completed([]))).to.have.length(1);
    expect(partsOf(added(shell), delta('He'), done(message('Hello')), completed([]))).to.deep.equal([
      { type: 'text', text: 'Hello' },
    ]);
  });

  it('reads the final response when nothing was streamed, and the stream when that response is empty', () => {
    expect(partsOf(completed([message('Hello')]))).to.deep.equal([{ type: 'text', text: 'Hello' }]);
    expect(foldOf(...greeting.slice(0, -1), completed([])).choices[0]?.parts).to.deep.equal([
      { type: 'text', text: 'Hello' },
    ]);
  });

  it('ends an item that never ended with its version in the final response', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'BLOB' };
    expect(partsOf(added({ ...reasoning, encrypted_content: 'HALF' }), completed([reasoning]))).to.deep.equal([
      { type: 'reasoning', text: '', proof: { origin, value: 'BLOB' } },
    ]);
  });

  it('takes constant time per item for very many items', async () => {
    const callsOf = (length: number) =>
      Array.from({ length }, (_, index) => ({
        type: 'function_call',
        id: `fc_${index}`,
        call_id: `call_${index}`,
        name: 'f',
        arguments: '{}',
      }));
    type Calls = ReturnType<typeof callsOf>;
    const streams = [
      (calls: Calls) => [...calls.flatMap((call, index) => [added(call, index), done(call, index)]), completed(calls)],
      (calls: Calls) => [...calls.map(added), completed(calls)],
      (calls: Calls) => [completed(calls)],
    ];
    for (const framesOf of streams) {
      const prepare = (size: number) => framesOf(callsOf(size));
      expect(partsOf(...prepare(6_000))).to.have.length(6_000);
      expect(await isLinear(400, prepare, (frames) => partsOf(...frames))).to.equal(true);
    }
  });

  it('joins the summaries of reasoning with a blank line, and keeps its proof', () => {
    const summary = (index: number, text: string) => [
      event('reasoning_summary_part.added', { output_index: 0, summary_index: index }),
      event('reasoning_summary_text.delta', { output_index: 0, summary_index: index, delta: text }),
      event('reasoning_summary_text.done', { output_index: 0, summary_index: index, text }),
    ];
    const item = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'One.' },
        { type: 'summary_text', text: 'Two.' },
      ],
      encrypted_content: 'BLOB',
    };
    expect(
      partsOf(
        added({ ...item, summary: [] }),
        ...summary(0, 'One.'),
        ...summary(1, 'Two.'),
        done(item),
        completed([item]),
      ),
    ).to.deep.equal([{ type: 'reasoning', text: 'One.\n\nTwo.', proof: { origin, value: 'BLOB' } }]);
  });

  it('reads the reasoning of open models', () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] };
    expect(
      partsOf(
        added({ ...item, content: [] }),
        event('reasoning_text.delta', { output_index: 0, content_index: 0, delta: 'Hm.' }),
        done(item),
        completed([item]),
      ),
    ).to.deep.equal([{ type: 'reasoning', text: 'Hm.' }]);
  });

  it('reads reasoning that is streamed with its summary only once', () => {
    const both = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'In short.' }],
      content: [{ type: 'reasoning_text', text: 'Hm.' }],
    };
    const summary = event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'In short.' });
    const whole = event('reasoning_text.delta', { output_index: 0, content_index: 0, delta: 'Hm.' });
    expect(partsOf(added({ type: 'reasoning', id: 'rs_1' }), summary, whole, done(both), completed([]))).to.deep.equal([
      { type: 'reasoning', text: 'In short.' },
    ]);
    expect(partsOf(added({ type: 'reasoning', id: 'rs_1' }), whole, summary, done(both), completed([]))).to.deep.equal([
      { type: 'reasoning', text: 'Hm.' },
    ]);
  });

  it('leaves out reasoning with neither text nor proof', () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [] };
    expect(
      partsOf(
        added(item),
        done(item),
        added(shell, 1),
        event('output_text.delta', { ...at, output_index: 1, delta: 'x' }),
        done(message('x'), 1),
        completed([]),
      ),
    ).to.deep.equal([{ type: 'text', text: 'x' }]);
  });

  it('reads refusals, and finishes with refusal', () => {
    const refused = message('', { content: [{ type: 'refusal', refusal: 'No.' }] });
    const response = foldOf(
      created,
      added(shell),
      event('refusal.delta', { ...at, delta: 'No.' }),
      event('refusal.done', { ...at, refusal: 'No.' }),
      done(refused),
      completed([refused]),
    );
    expect(response.choices).to.deep.equal([
      { parts: [{ type: 'refusal', text: 'No.' }], finish: { reason: 'refusal', vendor: 'completed' } },
    ]);
  });

  it('reads custom tools as text, and tools of a namespace under one name', () => {
    const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'sql', input: 'SELECT 1' };
    const spaced = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_2',
      name: 'list',
      namespace: 'crm',
      arguments: '',
    };
    const parts = partsOf(
      added({ ...custom, input: '' }),
      event('custom_tool_call_input.delta', { output_index: 0, delta: 'SELECT 1' }),
      done(custom),
      added(spaced, 1),
      done(spaced, 1),
      completed([]),
    );
    expect(parts).to.deep.equal([
      { type: 'tool-call', id: 'call_1', name: 'sql', kind: 'custom', input: 'SELECT 1' },
      { type: 'tool-call', id: 'call_2', name: 'crm__list', kind: 'function', input: '{}' },
    ]);
  });

  it('derives the same id each time for a call without one', () => {
    const call = { type: 'function_call', call_id: '', name: 'f', arguments: '{}' };
    expect(partsOf(done(call), completed([]))?.[0]).to.include({ id: 'call_3_0_0' });
  });

  it('emits calls that ran at the vendor whole, and ignores their progress events', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
    const parts = partsOf(
      added({ ...search, action: {} }),
      event('web_search_call.searching', { output_index: 0 }),
      event('code_interpreter_call_code.delta', { output_index: 0, delta: 'x' }),
      done(search),
      completed([search]),
    );
    expect(parts).to.deep.equal([
      { type: 'opaque', wire: 'responses', value: search, search: { id: 'ws_1', queries: ['q'], sources: [] } },
    ]);
  });

  it('keeps citations with their text, from events or from the finished item', () => {
    const citation = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 5 };
    const cited = {
      url: 'https://a.example',
      title: 'A',
      start: 0,
      end: 5,
      vendor: { wire: 'responses', value: citation },
    };
    const annotated = event('output_text.annotation.added', { ...at, annotation_index: 0, annotation: citation });
    expect(partsOf(added(shell), delta('Hello'), annotated, completed([]))).to.deep.equal([
      { type: 'text', text: 'Hello', citations: [cited] },
    ]);
    const final = message('Hello', { content: [{ type: 'output_text', text: 'Hello', annotations: [citation] }] });
    expect(partsOf(added(shell), delta('Hello'), annotated, done(final), completed([]))).to.deep.equal([
      { type: 'text', text: 'Hello', citations: [cited] },
    ]);
  });

  it('E29: ignores unknown events', () => {
    const odd = [
      event('brand_new', { output_index: 0, delta: 'x' }),
      { type: 'ping' },
      { type: 'keepalive', sequence_number: 3 },
    ];
    expect(readEvents(...greeting.flatMap((found) => [found, ...odd]))).to.deep.equal(readEvents(...greeting));
    expect(readSse(sseOf(greeting).replaceAll('event:', ': OPENROUTER PROCESSING\n\nevent:'))).to.deep.equal(
      readEvents(...greeting),
    );
  });

  it('E30: ends with an error wherever it is cut off', () => {
    for (let count = 0; count < greeting.length; count++) {
      const events = readEvents(...greeting.slice(0, count));
      expect(errorOf(events).code, `after ${count}`).to.equal('upstream_truncated');
      expect(checkEventGrammar(events), `after ${count}`).to.deep.equal([]);
    }
    expect(errorOf(readSse(`${sseOf(greeting.slice(0, -1))}data: [DONE]\n\n`)).code).to.equal('upstream_truncated');
  });

  it('E31: reads an error as the first event', () => {
    expect(
      errorOf(readEvents({ type: 'error', code: 'server_is_overloaded', message: 'busy', param: null })).failure,
    ).to.equal('overloaded');
    expect(
      errorOf(
        readEvents({
          type: 'error',
          error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'spent' },
        }),
      ).failure,
    ).to.equal('quota');
    expect(
      errorOf(readSse('event: error\ndata: {"code":"rate_limit_exceeded","message":"slow"}\n\n')).failure,
    ).to.equal('rate-limit');
    expect(errorOf(readSse('data: {"error":{"message":"no","type":"invalid_request_error"}}\n\n'))).to.include({
      failure: 'caller-fault',
      message: 'no',
    });
  });

  it('E32: leaves a call open when an error comes inside its arguments', () => {
    const events = readEvents(
      created,
      added({ type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '' }),
      event('function_call_arguments.delta', { output_index: 0, delta: '{"a' }),
      event('failed', { response: { status: 'failed', error: { code: 'server_error', message: 'x' } } }),
    );
    expect(errorOf(events).failure).to.equal('transient');
    expect(events.some(({ type }) => type === 'part-end' || type === 'choice-end')).to.equal(false);
  });

  it('classifies failed responses by their codes, and reads their usage', () => {
    const failed = (code: string, members: JsonObject = {}) =>
      readEvents(
        created,
        event('failed', { response: { status: 'failed', error: { code, message: 'x' }, ...members } }),
      );
    const failures = [
      'server_error',
      'rate_limit_exceeded',
      'insufficient_quota',
      'context_length_exceeded',
      'invalid_prompt',
      'invalid_image_url',
    ].map((code) => {
      const error = errorOf(failed(code));
      return [error.failure, error.code, error.status];
    });
    expect(failures).to.deep.equal([
      ['transient', 'upstream_error', 502],
      ['rate-limit', 'upstream_rate_limit', 429],
      ['quota', 'upstream_quota', 429],
      ['caller-fault', 'context_length_exceeded', 400],
      ['caller-fault', 'invalid_request', 400],
      ['caller-fault', 'invalid_request', 400],
    ]);
    expect(failed('server_error', { usage: { input_tokens: 3, output_tokens: 1 } }).at(-2)).to.deep.include({
      type: 'usage',
    });
    expect(
      errorOf(readEvents(created, event('failed', { response: { status: 'failed', error: null } }))).message,
    ).to.contain("'failed'");
  });

  it('E50: keeps the reason of an incomplete response, also with half a call', () => {
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"a', status: 'incomplete' };
    const end = (reason: string, output: readonly JsonObject[] = []) =>
      event('incomplete', { response: { status: 'incomplete', incomplete_details: { reason }, output } });
    expect(foldOf(created, added(call), done(call), end('max_output_tokens', [call])).choices[0]?.finish).to.deep.equal(
      { reason: 'length', vendor: 'max_output_tokens' },
    );
    expect(foldOf(created, end('content_filter')).choices[0]?.finish.reason).to.equal('content_filter');
    expect(foldOf(created, end('steered')).choices[0]?.finish).to.deep.equal({ reason: 'stop', vendor: 'steered' });
    expect(foldOf(created, event('incomplete', { response: {} })).choices[0]?.finish).to.deep.equal({
      reason: 'stop',
      vendor: 'incomplete',
    });
    const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
    expect(foldOf(created, done(thought), end('max_output_tokens', [thought])).choices[0]).to.deep.equal({
      parts: [{ type: 'reasoning', text: 'Hm.' }],
      finish: { reason: 'length', vendor: 'max_output_tokens' },
    });
  });

  it('E39: joins a surrogate pair that was split between two deltas', () => {
    const events = readEvents(
      created,
      added(shell),
      delta('a\ud83d'),
      delta('\ude00b'),
      done(message('a😀b')),
      completed([message('a😀b')]),
    );
    expect(textsOf(events)).to.deep.equal(['a', '😀b']);
    expect(textsOf(readEvents(created, added(shell), delta('a\ud83d'), completed([])))).to.deep.equal(['a', '\ud83d']);
  });

  it('E39: reads the same however its bytes are split', () => {
    const bytes = Buffer.from(
      sseOf([
        created,
        added(shell),
        delta('é😀 \u2028'),
        done(message('é😀 \u2028')),
        completed([message('é😀 \u2028')]),
      ]).replaceAll('\n', '\r\n'),
    );
    const whole = readBytes(bytes);
    expect(foldEvents(whole).choices[0]?.parts).to.deep.equal([{ type: 'text', text: 'é😀 \u2028' }]);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 30 }),
        (cuts) => void expect(readBytes(bytes, cuts)).to.deep.equal(whole),
      ),
      { numRuns: 200 },
    );
  });

  it('reads the same with every combination of what servers leave out', () => {
    const optional = ['sequence_number', 'item_id', 'logprobs', 'obfuscation', 'content_index'];
    fc.assert(
      fc.property(fc.subarray(optional), fc.boolean(), (left, named) => {
        const events = greeting.map((found, index) =>
          Object.fromEntries(
            Object.entries({ sequence_number: index, logprobs: [], obfuscation: 'x', ...found }).filter(
              ([member]) => !left.includes(member),
            ),
          ),
        );
        expect(readSse(sseOf(events, named))).to.deep.equal(readEvents(...greeting));
      }),
    );
  });

  it('fails on a frame that is not a JSON object', () => {
    for (const data of ['{"type":', '[]', '5', 'null'])
      expect(errorOf(readSse(`${sseOf(greeting.slice(0, 5))}data: ${data}\n\n`)).code, data).to.equal(
        'upstream_bad_response',
      );
  });
});
