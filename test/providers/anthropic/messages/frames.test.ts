import { expect } from 'chai';
import type { Frame } from '../../../../core/api/codec.ts';
import { checkMessagesFrames } from './frames.ts';

/** Any event of messages. */
interface Named {
  readonly type: string;
  readonly [member: string]: unknown;
}
const named = (data: Named): Frame => ({ event: data.type, data: JSON.stringify(data) });

describe('the frame check of messages', () => {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const begin = { type: 'message_start', message };
  const block = (index: number, fields: object) => ({ type: 'content_block_start', index, content_block: fields });
  const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const text = { type: 'text', text: '' };
  const thinking = { type: 'thinking', thinking: '', signature: '' };
  const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };
  const finish = {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 2 },
  };
  const end = { type: 'message_stop' };
  const error = { type: 'error', error: { type: 'api_error', message: 'no' } };
  const check = (...events: readonly Named[]) => checkMessagesFrames(events.map(named)).join('\n');

  it('accepts a response of thinking, text and a call, with pings between', () => {
    expect(
      check(
        begin,
        { type: 'ping' },
        block(0, thinking),
        delta(0, { type: 'thinking_delta', thinking: 'x' }),
        delta(0, { type: 'signature_delta', signature: 's' }),
        stop(0),
        block(1, text),
        delta(1, { type: 'text_delta', text: 'x' }),
        stop(1),
        { type: 'ping' },
        block(2, call),
        delta(2, { type: 'input_json_delta', partial_json: '' }),
        delta(2, { type: 'input_json_delta', partial_json: '{"a":1}' }),
        stop(2),
        finish,
        end,
      ),
    ).to.equal('');
  });
  it('accepts an error that cuts off an open block', () => {
    expect(check(begin, block(0, call), delta(0, { type: 'input_json_delta', partial_json: '{"a' }), error)).to.equal(
      '',
    );
    expect(check(error)).to.equal('');
  });
  const wrong: readonly (readonly [events: readonly Named[], problem: string])[] = [
    [[begin], 'without message_stop or error'],
    [[begin, end], 'message_stop without message_delta'],
    [[begin, finish, end, end], 'message_stop after message_stop'],
    [[begin, error, finish], 'message_delta after error'],
    [[finish, end], 'before message_start'],
    [[begin, begin, finish, end], 'a second message_start'],
    [[{ ...begin, message: { ...message, stop_reason: 'end_turn' } }, finish, end], 'stop_reason null'],
    [[{ ...begin, message: { ...message, usage: {} } }, finish, end], 'the counts of its usage'],
    [[begin, block(1, text), stop(1), finish, end], 'where 0 is due'],
    [[begin, block(0, text), block(1, text), stop(1), finish, end], 'while block 0 is open'],
    [[begin, block(0, text), finish, end], 'message_delta while block 0 is open'],
    [[begin, block(0, { type: 'text', text: 'x' }), stop(0), finish, end], 'start with empty text'],
    [
      [begin, block(0, text), delta(0, { type: 'thinking_delta', thinking: 'x' }), stop(0), finish, end],
      'thinking_delta in a text block',
    ],
    [[begin, block(0, text), delta(1, { type: 'text_delta', text: 'x' }), stop(0), finish, end], 'which is not open'],
    [
      [
        begin,
        block(0, thinking),
        delta(0, { type: 'signature_delta', signature: 'a' }),
        delta(0, { type: 'signature_delta', signature: 'b' }),
        stop(0),
        finish,
        end,
      ],
      'a second signature',
    ],
    [
      [
        begin,
        block(0, thinking),
        delta(0, { type: 'signature_delta', signature: 'a' }),
        delta(0, { type: 'thinking_delta', thinking: 'b' }),
        stop(0),
        finish,
        end,
      ],
      'thinking after its signature',
    ],
    [
      [begin, block(0, call), delta(0, { type: 'input_json_delta', partial_json: '{"a' }), stop(0), finish, end],
      'no JSON object',
    ],
    [[begin, block(0, { ...call, id: '' }), stop(0), finish, end], 'needs id, name'],
    [[begin, finish, block(0, text), stop(0), end], 'a block after message_delta'],
    [[begin, { ...finish, delta: { stop_reason: null } }, end], 'without a stop_reason'],
  ];
  for (const [events, problem] of wrong) {
    it(`rejects frames: ${problem}`, () => {
      expect(check(...events)).to.include(problem);
    });
  }
  it('requires that the event name equals the type in the data', () => {
    expect(checkMessagesFrames([{ event: undefined, data: JSON.stringify(error) }]).join()).to.include(
      'the event is named undefined',
    );
  });
});
