import { expect } from 'chai';
import { checkResponsesFrames } from './frames.ts';

interface Event {
  readonly type: string;
  readonly [member: string]: unknown;
}

const usage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 3,
};
const echo = {
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
};
const head = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'in_progress',
  output: [],
  ...echo,
};
const created = { type: 'response.created', response: head };
const running = { type: 'response.in_progress', response: head };
const added = (index: number, item: object) => ({ type: 'response.output_item.added', output_index: index, item });
const done = (index: number, item: object) => ({ type: 'response.output_item.done', output_index: index, item });
const end = (status: string, output: readonly object[], fields: object = {}) => ({
  type: `response.${status}`,
  response: { ...head, status, output, output_text: '', usage, ...fields },
});
const of = (id: string, index: number, type: string, fields: object = {}) => ({
  type: `response.${type}`,
  item_id: id,
  output_index: index,
  ...fields,
});

const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '', status: 'in_progress' };
const called = { ...call, arguments: '{"a":1}', status: 'completed' };
const callEvents = (index: number, given: string = called.arguments) => [
  added(index, call),
  of('fc_1', index, 'function_call_arguments.delta', { delta: '{"a"' }),
  of('fc_1', index, 'function_call_arguments.delta', { delta: given.slice(4) }),
  of('fc_1', index, 'function_call_arguments.done', { arguments: given, name: 'f' }),
  done(index, { ...called, arguments: given }),
];

const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
const citation = { type: 'url_citation', url: 'u', title: 't', start_index: 0, end_index: 1 };
const emptyPart = { type: 'output_text', text: '', annotations: [], logprobs: [] };
const part = { ...emptyPart, text: 'Hi', annotations: [citation] };
const said = { ...message, status: 'completed', content: [part] };
const inPart = (type: string, fields: object = {}) => of('msg_1', 0, type, { content_index: 0, ...fields });
const messageEvents = [
  added(0, message),
  inPart('content_part.added', { part: emptyPart }),
  inPart('output_text.delta', { delta: 'H', logprobs: [] }),
  inPart('output_text.delta', { delta: 'i', logprobs: [] }),
  inPart('output_text.annotation.added', { annotation_index: 0, annotation: citation }),
  inPart('output_text.done', { text: 'Hi', logprobs: [] }),
  inPart('content_part.done', { part }),
  done(0, said),
];

const thought = { id: 'rs_1', type: 'reasoning', summary: [] };
const inSummary = (type: string, fields: object = {}) =>
  of('rs_1', 0, `reasoning_summary_${type}`, { summary_index: 0, ...fields });
const summary = { type: 'summary_text', text: 'Hm' };
const reasoned = { ...thought, summary: [summary], encrypted_content: 'x' };
const reasoningEvents = [
  added(0, thought),
  inSummary('part.added', { part: { ...summary, text: '' } }),
  inSummary('text.delta', { delta: 'Hm' }),
  inSummary('text.done', { text: 'Hm' }),
  inSummary('part.done', { part: summary }),
  done(0, reasoned),
];

const listFrames = (events: readonly Event[]) =>
  events.map((event, index) => ({ event: event.type, data: JSON.stringify({ sequence_number: index, ...event }) }));
const check = (...events: readonly Event[]) => checkResponsesFrames(listFrames(events)).join('\n');
/** The events of a message, one of them altered. */
const altered = (at: number, fields: object) => [
  ...messageEvents.slice(0, at),
  { ...messageEvents[at], ...fields } as Event,
  ...messageEvents.slice(at + 1),
];

const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' };
const phases = (index: number, ...names: readonly string[]) =>
  names.map((name) => of('ws_1', index, `web_search_call.${name}`, {}));

describe('responses: frame rules', () => {
  it('accepts frames of responses with reasoning and a call, with a cited text, and without output', () => {
    expect(
      check(created, running, ...reasoningEvents, ...callEvents(1), end('completed', [reasoned, called])),
    ).to.equal('');
    expect(check(created, ...messageEvents, end('completed', [said], { output_text: 'Hi' }))).to.equal('');
    expect(check(created, { type: 'keepalive' }, end('completed', []))).to.equal('');
  });
  it('accepts frames of a refusal, raw reasoning, a custom call and an item of another type', () => {
    const refusal = { type: 'refusal', refusal: 'No.' };
    const refused = { ...message, status: 'completed', content: [refusal] };
    const refusing = [
      added(0, message),
      inPart('content_part.added', { part: { ...refusal, refusal: '' } }),
      inPart('refusal.delta', { delta: 'No.' }),
      inPart('refusal.done', { refusal: 'No.' }),
      inPart('content_part.done', { part: refusal }),
      done(0, refused),
    ];
    const raw = { type: 'reasoning_text', text: 'Hm' };
    const inRaw = (type: string, fields: object) => of('rs_1', 1, type, { content_index: 0, ...fields });
    const thinking = [
      added(1, thought),
      inRaw('content_part.added', { part: { ...raw, text: '' } }),
      inRaw('reasoning_text.delta', { delta: 'Hm' }),
      inRaw('reasoning_text.done', { text: 'Hm' }),
      inRaw('content_part.done', { part: raw }),
      done(1, { ...thought, content: [raw] }),
    ];
    const custom = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'c', name: 'f', input: '', status: 'in_progress' };
    const patched = { ...custom, input: 'x', status: 'completed' };
    const patching = [
      added(2, custom),
      of('ctc_1', 2, 'custom_tool_call_input.delta', { delta: 'x' }),
      of('ctc_1', 2, 'custom_tool_call_input.done', { input: 'x' }),
      done(2, patched),
    ];
    expect(
      check(
        created,
        ...refusing,
        ...thinking,
        ...patching,
        added(3, { ...search, status: 'in_progress' }),
        ...phases(3, 'in_progress', 'searching', 'completed'),
        done(3, search),
        end('completed', [refused, { ...thought, content: [raw] }, patched, search]),
      ),
    ).to.equal('');
  });
  it('accepts frames of a response that a limit or a failure cuts off', () => {
    const cut = { ...called, arguments: '{"a":', status: 'incomplete' };
    const cutting = [...callEvents(0, '{"a":').slice(0, -1), done(0, cut)];
    expect(
      check(created, ...cutting, end('incomplete', [cut], { incomplete_details: { reason: 'max_output_tokens' } })),
    ).to.equal('');
    const failed = { error: { code: 'server_error', message: 'no' }, usage: null };
    expect(check(created, ...callEvents(0), added(1, message), end('failed', [called], failed))).to.equal('');
    expect(check(created, running, end('failed', [], failed))).to.equal('');
    expect(check({ type: 'error', code: 'server_error', message: 'no', param: null })).to.equal('');
  });
  it('requires usage in frames where the vendor counted', () => {
    const frames = (counted: unknown) =>
      checkResponsesFrames(listFrames([created, end('completed', [], { usage: counted })]), {
        includeUsage: true,
      }).join();
    expect(frames(usage)).to.equal('');
    expect(frames(null)).to.include('usage');
    expect(frames({ ...usage, total_tokens: 4 })).to.include('do not add up');
    expect(frames({ ...usage, output_tokens_details: {} })).to.include('has no counts');
  });

  const finish = end('completed', [said], { output_text: 'Hi' });
  const searching = [created, added(0, search)];
  const wrong: readonly (readonly [problem: string, events: readonly Event[]])[] = [
    ['without a terminal event', [created]],
    ['response.completed after response.completed', [created, end('completed', []), end('completed', [])]],
    ['before response.created', [running]],
    ['a second response.created', [created, created, end('completed', [])]],
    ['an empty output', [{ ...created, response: { ...head, output: [said] } }, end('completed', [])]],
    ['lacks tools', [{ ...created, response: { ...head, tools: undefined } }, end('completed', [])]],
    ['has another id', [created, end('completed', [], { id: 'resp_2' })]],
    ['has status failed, not completed', [created, end('completed', [], { status: 'failed' })]],
    ['where 1 is due', [created, { ...running, sequence_number: 2 }, end('completed', [])]],
    ['an unknown event: ping', [created, { type: 'ping' }, end('completed', [])]],
    ['an unknown event: toString', [created, { type: 'toString' }, end('completed', [])]],
    ['the phase completed where searching is due', [...searching, ...phases(0, 'in_progress', 'completed')]],
    ['ends where its phase searching is due', [...searching, ...phases(0, 'in_progress'), done(0, search)]],
    ['a search in an item message', [created, added(0, message), of('msg_1', 0, 'web_search_call.searching', {})]],
    ['item 1 where 0 is due', [created, ...callEvents(1), end('completed', [called])]],
    [
      'begins while item 0 is open',
      [created, added(0, message), ...callEvents(1), done(0, { ...message, status: 'completed' })],
    ],
    ['ends while item 0 is open', [created, added(0, message), end('completed', [])]],
    ['has no id or type', [created, added(0, { ...call, id: undefined })]],
    ['begins with arguments', [created, added(0, called)]],
    ['no name or call_id', [created, added(0, { ...call, call_id: undefined })]],
    ['ends with status undefined', [created, ...callEvents(0).slice(0, -1), done(0, { ...called, status: undefined })]],
    ['ends without arguments.done', [created, added(0, call), done(0, { ...call, status: 'completed' })]],
    [
      'the arguments done is "x"',
      [created, ...callEvents(0).with(3, of('fc_1', 0, 'function_call_arguments.done', { arguments: 'x' }))],
    ],
    ['ends with arguments "x"', [created, ...callEvents(0).with(4, done(0, { ...called, arguments: 'x' }))]],
    ['ends as another', [created, ...callEvents(0).with(4, done(0, { ...called, call_id: 'call_2' }))]],
    ['are no JSON', [created, ...callEvents(0, '{"a":'), end('completed', [{ ...called, arguments: '{"a":' }])]],
    ['with item_id fc_2', [created, added(0, call), of('fc_2', 0, 'function_call_arguments.delta', { delta: '' })]],
    ['with item_id undefined', [created, ...altered(2, { item_id: undefined })]],
    ['item 1, which is not open', [created, ...altered(2, { output_index: 1 })]],
    ['part 1, which is not open', [created, ...altered(2, { content_index: 1 })]],
    [
      'delta of part 0, which is not open',
      [created, added(0, message), inPart('output_text.delta', { delta: 'H', logprobs: [] })],
    ],
    ['part 1 where 0 is due', [created, ...altered(1, { content_index: 1 })]],
    ['does not begin empty', [created, ...altered(1, { part })]],
    ['without an empty list of annotations', [created, ...altered(1, { part: { type: 'output_text', text: '' } })]],
    ['delta without logprobs', [created, ...altered(2, { logprobs: undefined })]],
    ['the text done is "Ho"', [created, ...altered(5, { text: 'Ho' })]],
    ['part 0 ends as', [created, ...altered(6, { part: { ...part, text: 'Ho' } })]],
    ['other annotations than were added', [created, ...altered(6, { part: { ...part, annotations: [] } })]],
    [
      'ends before its text is done',
      [created, ...messageEvents.filter(({ type }) => type !== 'response.output_text.done')],
    ],
    ['annotation 1 where 0 is due', [created, ...altered(4, { annotation_index: 1 })]],
    ['refusal in a part output_text', [created, ...altered(2, { type: 'response.refusal.delta' })]],
    ['ends with content', [created, ...altered(7, { item: { ...said, content: [] } }), finish]],
    [
      'the output differs from the items done',
      [created, ...messageEvents, end('completed', [{ ...said, id: 'msg_2' }], { output_text: 'Hi' })],
    ],
    ['0 items where 1 are done', [created, ...messageEvents, end('completed', [])]],
    ['output_text is undefined', [created, ...messageEvents, end('completed', [said], { output_text: undefined })]],
    ['error after response.created', [created, { type: 'error', code: null, message: 'no' }]],
    ['the code and message', [created, end('failed', [])]],
    ['without a reason', [created, end('incomplete', [])]],
    ['with an error', [created, end('completed', [], { error: { code: 'a', message: 'b' } })]],
  ];
  for (const [problem, events] of wrong) {
    it(`rejects frames: ${problem}`, () => {
      expect(check(...events)).to.include(problem);
    });
  }
  it('requires the event name of a frame to match the data', () => {
    expect(checkResponsesFrames([{ event: undefined, data: JSON.stringify(created) }]).join()).to.include(
      'the event is named undefined',
    );
  });
});
