import { expect } from 'chai';
import type { Frame } from '../../../../core/api/codec.ts';
import { checkChatFrames } from './frames.ts';

const plain = (data: unknown): Frame => ({
  event: undefined,
  data: typeof data === 'string' ? data : JSON.stringify(data),
});

describe('chat-completions: frame rules', () => {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const chunk = (delta: object, finish: string | null = null, index = 0) => ({
    ...head,
    choices: [{ index, delta, finish_reason: finish }],
  });
  const role = chunk({ role: 'assistant', content: '' });
  const finish = chunk({}, 'stop');
  const call = (fields: object) => chunk({ tool_calls: [fields] });
  const first = call({ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } });
  const more = (text: string) => call({ index: 0, function: { arguments: text } });
  const usage = { ...head, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
  const done = '[DONE]';
  const error = { error: { message: 'no', type: 'server_error', param: null, code: null } };
  const check = (...data: readonly unknown[]) => checkChatFrames(data.map(plain)).join('\n');

  it('accepts responses with text, with a call, with two choices, and with an error', () => {
    expect(check(role, chunk({ content: 'x' }), finish, done)).to.equal('');
    expect(check(role, first, more('{"a":'), more('1}'), chunk({}, 'tool_calls'), done)).to.equal('');
    expect(check(role, chunk({ role: 'assistant' }, null, 1), finish, chunk({}, 'stop', 1), done)).to.equal('');
    expect(check(role, first, more('{"a'), error)).to.equal('');
    expect(check(error, done)).to.equal('');
  });
  it('requires usage only where it was requested, and then on the last chunk', () => {
    const asked = [role, finish].map((data) => plain({ ...data, usage: null }));
    expect(checkChatFrames([...asked, plain(usage), plain(done)], { includeUsage: true })).to.deep.equal([]);
    expect(checkChatFrames([...asked, plain(done)], { includeUsage: true }).join()).to.include('without the usage');
    expect(
      checkChatFrames([plain(role), plain(finish), plain(usage), plain(done)], { includeUsage: true }).join(),
    ).to.include('usage must be null');
    expect(check(role, finish, usage, done)).to.include('not asked for');
    expect(check({ ...role, usage: usage.usage }, finish, done)).to.include('usage was not asked for');
  });
  const wrong: readonly (readonly [data: readonly unknown[], problem: string])[] = [
    [[role, finish], 'without [DONE] or an error'],
    [[role, done], 'before choice 0 finished'],
    [[done], 'without any choice'],
    [[role, finish, done, done], 'data after [DONE]'],
    [[role, error, finish], 'data after error'],
    [[chunk({ content: 'x' }), finish, done], 'has no role'],
    [[role, finish, chunk({ content: 'x' }), done], 'goes on after it finished'],
    [[role, { ...finish, id: 'other' }, done], 'must be the same'],
    [[role, chunk({ content: 'x' }, 'stop'), done], 'is not empty'],
    [[role, chunk({}, 'tool_calls'), done], 'without a tool call'],
    [[role, more('x'), finish, done], 'needs id, type, name'],
    [
      [role, call({ index: 1, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }), finish, done],
      'where 0 is due',
    ],
    [[role, first, first, finish, done], 'repeats its id or name'],
    [[role, first, more('{"a'), chunk({}, 'tool_calls'), done], 'are no JSON'],
    [['{"a'], 'no JSON object'],
    [[role, { ...head, choices: 1 }, finish, done], 'choices is no array'],
    [[{ error: 'no' }], 'an error without message'],
  ];
  for (const [data, problem] of wrong) {
    it(`rejects frames: ${problem}`, () => {
      expect(check(...data)).to.include(problem);
    });
  }
  it('rejects frames with event names', () => {
    expect(checkChatFrames([{ event: 'error', data: JSON.stringify(error) }]).join()).to.include('an event name');
  });
});
