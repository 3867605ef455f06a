import { expect } from 'chai';
import { sse } from '../../../../../core/framing/sse.ts';
import { GatewayError, type JsonObject } from '../../../../../core/api/index.ts';
import { sealProof, type Frame, type Tap } from '../../../../../core/api/codec.ts';
import { NativeRelay } from '../../../../../core/lanes/native/relay.ts';
import type { Relay } from '../../../../../core/lanes/relay.ts';
import { sealItemProof } from '../../../../../core/api/internal.ts';
import { native } from '../../../../../providers/openai/responses/upstream/native.ts';
import { completed, created, decode, event, inboundOf, origin, profile, readCorpus, sseOf } from './harness.ts';

const plan = (members: JsonObject = {}) =>
  native(inboundOf({ model: 'openai/gpt-5', input: 'hi', ...members }), decode(members), profile);
const frameOf = (found: JsonObject): Frame => ({ event: String(found['type']), data: JSON.stringify(found) });
const see = (tap: Tap, ...events: readonly JsonObject[]) => events.map((found) => tap.inspectFrame(frameOf(found)));
const item = (members: JsonObject) => ({ output_index: 0, item: members });
const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] };
const usage = { input_tokens: 5, input_tokens_details: { cached_tokens: 2 }, output_tokens: 7 };

describe('responses: native lane', () => {
  it('changes nothing but the model of an ordinary request', () => {
    expect(
      plan({
        store: true,
        temperature: 1,
        brand_new: 1,
        input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }],
      }).edits,
    ).to.deep.equal([{ member: 'model', value: 'm-1' }]);
    expect(plan().headers).to.deep.equal({});
  });

  it('E37: opens sealed proofs for their vendor, removes those of others, and generates no ids', () => {
    const sealed = (provider: string) => ({
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: sealProof({ origin: { provider, family: provider }, value: 'BLOB' }),
    });
    const question = { role: 'user', content: 'hi' };
    const { edits } = plan({ input: [question, sealed(origin.provider), sealed('google'), question] });
    expect(edits[1]).to.deep.equal({
      member: 'input',
      value: [
        question,
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'BLOB' },
        question,
      ],
    });
  });

  it('E37: never sends the proof of a call or a text as a proof of reasoning', () => {
    const proved = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content: sealItemProof({ callId: 'call_1' }, { origin, value: 'SIG' }),
    };
    const question = { role: 'user', content: 'hi' };
    expect(plan({ input: [question, proved] }).edits[1]).to.deep.equal({ member: 'input', value: [question] });
  });

  it('adds output_text to a response that lacks it', () => {
    const answer = {
      output: [
        { type: 'reasoning' },
        message,
        {
          ...message,
          content: [
            { type: 'refusal', refusal: 'No.' },
            { type: 'output_text', text: '!' },
          ],
        },
      ],
    };
    expect(plan().addToResponse?.(answer)).to.deep.equal([{ member: 'output_text', value: 'Hi!' }]);
    expect(plan().addToResponse?.({ output: [] })).to.deep.equal([{ member: 'output_text', value: '' }]);
    expect(plan().addToResponse?.({ ...answer, output_text: 'x' })).to.deep.equal([]);
  });
});

describe('responses: tap', () => {
  it('holds frames that show nothing, commits on content and recognises the end', () => {
    const tap = plan().tap();
    const verdicts = see(
      tap,
      created,
      event('in_progress', { response: { id: 'resp_1' } }),
      event('output_item.added', item({ type: 'message', content: [] })),
      event('content_part.added', { part: { type: 'output_text', text: '' } }),
      event('output_text.delta', { delta: 'Hi' }),
      event('output_text.done', { text: 'Hi' }),
      event('brand_new'),
      event('output_item.done', item(message)),
      completed([message], { usage, service_tier: 'flex' }),
    );
    expect(verdicts).to.deep.equal(['hold', 'hold', 'hold', 'hold', 'content', 'content', 'pass', 'content', 'end']);
    expect(tap.end()).to.equal(undefined);
    expect(tap.observed).to.deep.include({
      model: 'm',
      outputChars: 2,
      finish: { reason: 'stop', vendor: 'completed' },
    });
    expect(tap.observed.usage).to.include({ inputUncached: 3, cacheRead: 2, output: 7, tier: 'flex' });
  });

  it('counts everything that a client shows as content', () => {
    const shows = [
      event('output_item.added', item({ type: 'function_call', name: 'f', arguments: '' })),
      event('output_item.added', item({ type: 'web_search_call' })),
      event('output_item.done', item({ type: 'reasoning', summary: [], encrypted_content: 'BLOB' })),
      event('output_item.done', item(message)),
      event('reasoning_summary_text.delta', { delta: 'a' }),
      event('reasoning_text.delta', { delta: 'a' }),
      event('refusal.delta', { delta: 'a' }),
      event('function_call_arguments.delta', { delta: '{' }),
      event('function_call_arguments.done', { arguments: '{}' }),
      event('custom_tool_call_input.delta', { delta: 'x' }),
    ];
    for (const found of shows) expect(see(plan().tap(), found), JSON.stringify(found)).to.deep.equal(['content']);
    const silent = [
      event('output_item.added', item({ type: 'reasoning', summary: [] })),
      event('output_item.done', item({ type: 'reasoning', summary: [] })),
      event('reasoning_summary_part.added', { part: { type: 'summary_text', text: '' } }),
      event('output_text.delta', { delta: '' }),
      { type: 'keepalive' },
    ];
    for (const found of silent) expect(see(plan().tap(), found), JSON.stringify(found)).to.deep.equal(['hold']);
  });

  it('reads the finish, and weighs the output when there were no deltas', () => {
    const call = { type: 'function_call', name: 'ff', arguments: '{}' };
    const called = plan().tap();
    see(called, created, completed([message, call]));
    expect(called.observed).to.deep.include({ finish: { reason: 'tool_calls', vendor: 'completed' }, outputChars: 6 });
    const emptied = plan().tap();
    see(emptied, created, event('output_item.done', item(call)), completed([]));
    expect(emptied.observed.finish?.reason).to.equal('tool_calls');
    const cut = plan().tap();
    expect(
      see(cut, event('incomplete', { response: { incomplete_details: { reason: 'max_output_tokens' } } })),
    ).to.deep.equal(['end']);
    expect(cut.observed.finish?.reason).to.equal('length');
  });

  it('relays a failed response unchanged', () => {
    const tap = plan().tap();
    expect(
      see(
        tap,
        created,
        event('failed', { response: { status: 'failed', error: { code: 'server_error', message: 'x' }, usage } }),
      ),
    ).to.deep.equal(['hold', 'error']);
    expect(tap.observed.error?.vendor).not.to.equal(undefined);
    expect(tap.observed.usage?.output).to.equal(7);
  });

  it('E31: replaces a bare error event, on which clients throw', () => {
    const tap = plan().tap();
    expect(see(tap, created, { type: 'error', error: { code: 'insufficient_quota', message: 'spent' } })).to.deep.equal(
      ['hold', 'error'],
    );
    expect(tap.observed.error).to.include({ failure: 'quota' });
    expect(tap.observed.error?.vendor).to.equal(undefined);
  });

  it('E30: reports a missing end, with or without [DONE]', () => {
    const tap = plan().tap();
    see(tap, created, event('output_text.delta', { delta: 'a' }));
    expect(tap.inspectFrame({ event: undefined, data: '[DONE]' })).to.equal('pass');
    expect(tap.end()?.code).to.equal('upstream_truncated');
    expect(plan().tap().end()?.code).to.equal('upstream_truncated');
  });

  it('E30: ends a broken stream with response.failed and the next sequence number', () => {
    const tap = plan().tap();
    see(tap, { ...created, sequence_number: 0 }, { ...event('output_item.done', item(message)), sequence_number: 6 });
    const frames: (readonly [string | undefined, JsonObject])[] = [];
    tap.fail(new GatewayError('upstream_reset'), (name, data) => frames.push([name, JSON.parse(data) as JsonObject]));
    expect(frames).to.deep.equal([
      [
        'response.failed',
        {
          type: 'response.failed',
          sequence_number: 7,
          response: {
            id: 'resp_1',
            model: 'm',
            object: 'response',
            status: 'failed',
            error: { code: 'server_error', message: 'The provider closed the connection.' },
            output: [message],
            output_text: 'Hi',
          },
        },
      ],
    ]);
  });

  it('E30: fails with the output so far, including the text that was cut, and without half a call', () => {
    const failureOf = (...events: readonly JsonObject[]) => {
      const tap = plan().tap();
      see(tap, created, ...events);
      let failed: JsonObject = {};
      tap.fail(
        new GatewayError('upstream_reset'),
        (_name, data) => (failed = (JSON.parse(data) as { response: JsonObject }).response),
      );
      return { output: failed['output'], output_text: failed['output_text'] };
    };
    const said = (type: string, text: string, members: JsonObject = {}) =>
      event(type, { output_index: 0, content_index: 0, delta: text, ...members });
    const empty = { type: 'message', id: 'msg_2', role: 'assistant', status: 'in_progress', content: [] };
    const begun = event('output_item.added', item(empty));
    const done = event('output_item.done', item(message));
    const text = { type: 'output_text', text: 'Well, no', annotations: [], logprobs: [] };
    expect(
      failureOf(
        done,
        begun,
        said('output_text.delta', 'Well'),
        said('output_text.delta', ', '),
        said('output_text.done', '', { text: 'Well, no' }),
        said('refusal.delta', 'I ', { content_index: 1 }),
      ),
    ).to.deep.equal({
      output: [message, { ...empty, status: 'incomplete', content: [text, { type: 'refusal', refusal: 'I ' }] }],
      output_text: 'HiWell, no',
    });
    const short = { ...text, text: 'A' };
    const first = said('output_text.delta', 'Hi');
    expect(failureOf(begun, first, done, begun, said('output_text.delta', 'A')), 'a second item').to.deep.equal({
      output: [message, { ...empty, status: 'incomplete', content: [short] }],
      output_text: 'HiA',
    });
    const thinking = { type: 'reasoning', id: 'rs_1', summary: [] };
    const thought = [
      event('output_item.added', item(thinking)),
      said('reasoning_summary_text.delta', 'Hm', { summary_index: 0 }),
      said('reasoning_text.delta', 'mm'),
    ];
    expect(failureOf(...thought).output).to.deep.equal([
      {
        ...thinking,
        summary: [{ type: 'summary_text', text: 'Hm' }],
        content: [{ type: 'reasoning_text', text: 'mm' }],
      },
    ]);
    const called = [
      event('output_item.added', item({ type: 'function_call', id: 'fc_1', name: 'f', arguments: '' })),
      said('function_call_arguments.delta', '{"a":'),
    ];
    expect(failureOf(done, ...called)).to.deep.equal({ output: [message], output_text: 'Hi' });
    expect(failureOf(begun, done)).to.deep.equal({ output: [message], output_text: 'Hi' });
    expect(failureOf(said('output_text.delta', 'a'))).to.deep.equal({ output: [], output_text: '' });
  });

  it('the tap reports malformed frames', () => {
    for (const data of ['{"a', '[]', '5']) {
      const tap = plan().tap();
      expect(tap.inspectFrame({ event: undefined, data }), data).to.equal('error');
      expect(tap.observed.error?.code).to.equal('upstream_bad_response');
    }
  });

  it('the tap reads a plain response', () => {
    const tap = plan().tap();
    tap.inspectBody({
      status: 'completed',
      model: 'm',
      output: [message, { type: 'function_call', name: 'f', arguments: '{}' }],
      usage,
    });
    expect(tap.observed).to.deep.include({
      model: 'm',
      outputChars: 5,
      finish: { reason: 'tool_calls', vendor: 'completed' },
    });
    const errorOf = (body: unknown) => {
      const failing = plan().tap();
      failing.inspectBody(body);
      return failing.observed.error;
    };
    expect(errorOf({ status: 'failed', error: { code: 'server_error', message: 'x' }, output: [] })).to.include({
      code: 'upstream_error',
    });
    expect(errorOf({ error: { message: 'x' } })).to.include({ code: 'upstream_error' });
    expect(errorOf(undefined)).to.include({
      code: 'upstream_bad_response',
      message: 'The response of the provider is not a JSON object.',
    });
    expect(errorOf({})).to.include({
      code: 'upstream_bad_response',
      message: 'The response of the provider has no output.',
    });
  });
});

/** The texts that stand in the last event of a stream. */
const textOfRecording = (sse: string): string => {
  const [last = '{}'] = [...sse.matchAll(/^data: ?(\{.*)$/gm)].map(([, data]) => data).slice(-1);
  const { response } = JSON.parse(last) as { response: { output: readonly { content?: readonly JsonObject[] }[] } };
  return response.output
    .flatMap(({ content = [] }) => content.filter(({ type }) => type === 'output_text'))
    .map(({ text }) => text)
    .join('');
};

describe('a recorded stream on the native lane', () => {
  const relay = (bytes: Uint8Array) => {
    const tap = plan().tap();
    const made: Relay = new NativeRelay(tap, sse, sse);
    const decoder = sse.decoder({ frameBytes: 10_000_000 });
    decoder.push(bytes, (frame) => made.push(frame, 0));
    decoder.end((frame) => made.push(frame, 0));
    made.end(0);
    return { text: Buffer.from(made.take() ?? []).toString(), made };
  };

  for (const file of ['openai-responses-stream', 'compat-responses-stream']) {
    it(`passes ${file} on byte for byte, and adds the text as a whole`, function () {
      for (const { id, response } of readCorpus(file) ?? this.skip()) {
        const text = response.sse ?? '';
        // Nothing follows the terminal event.
        if (text.includes('"type":"error"') || text.includes('[DONE]')) continue;
        const { text: relayed, made } = relay(Buffer.from(text));
        const added = /,"output_text":(?<text>"(?:[^"\\]|\\.)*")(?=\}[^}]*\}\s*$)/.exec(relayed);
        expect(relayed.replace(added?.[0] ?? '', '').trimEnd(), id).to.equal(text.trimEnd());
        expect(JSON.parse(added?.groups?.['text'] ?? 'null'), id).to.equal(textOfRecording(text));
        expect(made.state.failure, id).to.equal(undefined);
        expect(made.seen.usage, id).not.to.equal(undefined);
      }
    });
  }

  it('a stream that fails ends with one response.failed', () => {
    const { text, made } = relay(
      Buffer.from(
        sseOf([
          created,
          event('output_text.delta', { delta: 'a' }),
          { type: 'error', code: 'server_error', message: 'x' },
          event('failed', { response: {} }),
        ]),
      ),
    );
    expect(text.match(/event: response\.failed/g)).to.have.length(1);
    expect(text).not.to.contain('event: error');
    expect(made.state.failure?.failure).to.equal('transient');
  });
});
