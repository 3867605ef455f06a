import { expect } from 'chai';
import { GatewayError, type JsonObject } from '../../../../../../core/api/index.ts';
import { createTap } from '../../../../../../providers/openai/chat-completions/upstream/response/tap.ts';
import { chunk, decode } from '../../harness.ts';

const tapOf = (members: JsonObject = {}, omitsFinish = false) => {
  const request = decode({ stream: true, ...members });
  return createTap(request, { omitsFinish });
};
const see = (tap: ReturnType<typeof tapOf>, ...frames: readonly (JsonObject | string)[]) =>
  frames.map((data) =>
    tap.inspectFrame({ event: undefined, data: typeof data === 'string' ? data : JSON.stringify(data) }),
  );
const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } };

describe('chat-completions: tap', () => {
  it('holds frames that show nothing, commits on content and recognises the end', () => {
    const tap = tapOf({ stream_options: { include_usage: true } });
    expect(
      see(
        tap,
        { choices: [], prompt_filter_results: [] },
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'ab' }),
        chunk({}, 'stop'),
        usage,
        '[DONE]',
      ),
    ).to.deep.equal(['hold', 'hold', 'content', 'pass', 'pass', 'end']);
    expect(tap.end()).to.equal(undefined);
    expect(tap.observed).to.deep.include({ outputChars: 2, finish: { reason: 'stop', vendor: 'stop' } });
    expect(tap.observed.usage).to.include({ inputUncached: 5, output: 7 });
  });

  it('the tap takes the model from the response', () => {
    const tap = tapOf();
    see(tap, { model: 'gpt-4o-2026', ...chunk({ content: 'a' }) });
    expect(tap.observed.model).to.equal('gpt-4o-2026');
  });

  it('counts everything that a client shows as content', () => {
    const call = (members: object) => ({ tool_calls: [{ index: 0, ...members }] });
    for (const delta of [
      { content: 'a' },
      { refusal: 'a' },
      call({ id: 'a', function: { name: 'f', arguments: '' } }),
      { function_call: { name: 'f' } },
      { reasoning_content: 'a' },
      { reasoning: 'a' },
      { reasoning_details: [{}] },
      { annotations: [{}] },
      { audio: { data: 'x' } },
      { content: [{ type: 'text', text: 'a' }] },
    ]) {
      expect(see(tapOf(), chunk(delta)), JSON.stringify(delta)).to.deep.equal(['content']);
    }
    for (const delta of [{}, { content: null }, { content: '', tool_calls: [] }, { reasoning_details: [] }])
      expect(see(tapOf(), chunk(delta)), JSON.stringify(delta)).to.deep.equal(['hold']);
  });

  it('withholds usage that the client did not request, and reads it', () => {
    const tap = tapOf();
    expect(see(tap, chunk({ content: 'a' }, 'stop'), usage)).to.deep.equal(['content', 'withhold']);
    expect(tap.observed.usage?.output).to.equal(7);
  });

  it('relays usage on a chunk with content', () => {
    const tap = tapOf();
    expect(see(tap, { ...chunk({ content: 'a' }), usage: usage.usage })).to.deep.equal(['content']);
    expect(tap.observed.usage?.output).to.equal(7);
  });

  it('counts reasoning as content', () => {
    const tap = tapOf();
    expect(see(tap, chunk({ reasoning_content: 'abc' }), chunk({ content: 'd' }))).to.deep.equal([
      'content',
      'content',
    ]);
    expect(tap.observed.outputChars).to.equal(4);
  });

  it('accepts [DONE] as the end only when a choice has finished, or the server omits finishes', () => {
    const after = (frames: readonly JsonObject[], omitsFinish = false) => {
      const tap = tapOf({}, omitsFinish);
      const verdict = see(tap, ...frames, '[DONE]').at(-1);
      return tap.observed.error?.code ?? verdict;
    };
    expect(after([chunk({ content: 'a' }, 'stop', 0), chunk({ content: 'b' }, null, 1)])).to.equal('end');
    expect(after([chunk({ content: 'a' })])).to.equal('upstream_truncated');
    expect(after([chunk({ content: 'a' })], true)).to.equal('end');
    for (const omitsFinish of [false, true])
      expect(after([chunk({ role: 'assistant', content: '' })], omitsFinish)).to.equal('upstream_bad_response');
  });

  it('names what a plain response lacks', () => {
    const messageOf = (body: unknown) => {
      const tap = tapOf();
      tap.inspectBody(body);
      return tap.observed.error?.message;
    };
    expect(messageOf({ object: 'list' })).to.equal('The response of the provider has no choices.');
    expect(messageOf([])).to.equal('The response of the provider is not a JSON object.');
  });

  it('reports a plain response without content and finish reason as empty', () => {
    const bodyOf = (body: unknown) => {
      const tap = tapOf();
      tap.inspectBody(body);
      return tap.observed.error?.code;
    };
    const choice = (message: JsonObject, finish: string | null) => ({
      choices: [{ index: 0, message, finish_reason: finish }],
    });
    for (const empty of [{ choices: [] }, choice({}, null), choice({ role: 'assistant', content: '' }, null)])
      expect(bodyOf(empty)).to.equal('upstream_bad_response');
    for (const good of [
      choice({ content: 'a' }, null),
      choice({ content: null }, 'stop'),
      choice({ content: null }, 'something_new'),
    ])
      expect(bodyOf(good)).to.equal(undefined);
  });

  it('the tap reports errors and malformed frames', () => {
    const first = tapOf();
    expect(see(first, { error: { message: 'x', code: 'overloaded' } })).to.deep.equal(['error']);
    expect(first.observed.error?.failure).to.equal('overloaded');
    const named = tapOf();
    expect(named.inspectFrame({ event: 'error', data: '{"message":"x","type":"rate_limit_error"}' })).to.equal('error');
    const broken = tapOf();
    expect(see(broken, chunk({ content: 'a' }), '{"cho')).to.deep.equal(['content', 'error']);
    expect(broken.observed.error?.code).to.equal('upstream_bad_response');
    const late = tapOf();
    expect(
      see(late, { choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'x' } }] }),
    ).to.deep.equal(['error']);
    const charged = tapOf();
    see(charged, { error: { message: 'x' }, ...usage });
    expect(charged.observed.usage?.output).to.equal(7);
  });

  it('E30: accepts a stream that ends with [DONE] or with a finish of every choice', () => {
    const finished = tapOf();
    see(finished, chunk({ content: 'a' }, 'stop'));
    expect(finished.end()).to.equal(undefined);
    const half = tapOf();
    see(half, chunk({ content: 'a' }, 'stop', 0), chunk({ content: 'b' }, null, 1));
    expect(half.end()?.code).to.equal('upstream_truncated');
    expect(tapOf().end()?.code).to.equal('upstream_truncated');
  });

  it('reads tool calls that finish with stop', () => {
    const tap = tapOf();
    see(
      tap,
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'ff', arguments: '{"a"' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
      chunk({}, 'stop'),
    );
    expect(tap.observed.finish?.reason).to.equal('tool_calls');
    expect(tap.observed.outputChars).to.equal(9);
  });

  it('ends a failed stream with an error frame and without [DONE]', () => {
    const frames: string[] = [];
    tapOf().fail(new GatewayError('upstream_reset', 'socket hang up'), (event, data) =>
      frames.push(`${event}:${data}`),
    );
    expect(frames).to.deep.equal([
      'undefined:{"error":{"message":"The provider closed the connection.","type":"server_error","param":null,"code":"bad_gateway"}}',
    ]);
  });

  it('the tap reads a plain response', () => {
    const tap = tapOf({ stream: false });
    tap.inspectBody({
      model: 'm',
      choices: [
        {
          index: 0,
          message: { content: 'abc', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: usage.usage,
      service_tier: 'flex',
    });
    expect(tap.observed).to.deep.include({
      model: 'm',
      outputChars: 6,
      finish: { reason: 'tool_calls', vendor: 'tool_calls' },
    });
    expect(tap.observed.usage).to.include({ output: 7, tier: 'flex' });
    const failed = tapOf({ stream: false });
    failed.inspectBody({ error: { message: 'x', code: 429 } });
    expect(failed.observed.error?.failure).to.equal('rate-limit');
  });
});
