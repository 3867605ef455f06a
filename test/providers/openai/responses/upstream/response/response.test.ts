import { expect } from 'chai';
import type { JsonObject } from '../../../../../../core/api/index.ts';
import { decodeError } from '../../../../../../providers/openai/responses/upstream/response/error.ts';
import { fieldsOf, origin, readResponse, readWithLosses } from '../harness.ts';

const answer = (output: readonly unknown[], members: JsonObject = {}): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'm',
  error: null,
  output,
  ...members,
});
const message = (content: unknown, members: JsonObject = {}): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content,
  ...members,
});
const partsOf = (...output: readonly unknown[]) => readResponse(answer(output)).choices[0]?.parts;
const finishOf = (output: readonly unknown[], members: JsonObject = {}) =>
  readResponse(answer(output, members)).choices[0]?.finish;
const thrownBy = (body: unknown): unknown => {
  try {
    readResponse(body);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

describe('responses: upstream response', () => {
  it('reads the items in order', () => {
    const search = { type: 'web_search_call', id: 'ws_1', action: {} };
    expect(
      partsOf(
        {
          type: 'reasoning',
          summary: [
            { type: 'summary_text', text: 'A' },
            { type: 'summary_text', text: 'B' },
          ],
          encrypted_content: 'BLOB',
        },
        search,
        message([
          { type: 'output_text', text: 'Hi', annotations: [] },
          { type: 'output_text', text: '' },
          { type: 'odd' },
        ]),
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '' },
        { type: 'custom_tool_call', call_id: 'c2', name: 'sql', input: '' },
      ),
    ).to.deep.equal([
      { type: 'reasoning', text: 'A\n\nB', proof: { origin, value: 'BLOB' } },
      { type: 'opaque', wire: 'responses', value: search },
      { type: 'text', text: 'Hi' },
      { type: 'opaque', wire: 'responses', value: { type: 'odd' } },
      { type: 'tool-call', id: 'c1', name: 'f', kind: 'function', input: '{}' },
      { type: 'tool-call', id: 'c2', name: 'sql', kind: 'custom', input: '' },
    ]);
  });

  it('accepts content as a string, arguments as an object and calls without ids', () => {
    expect(
      partsOf(
        message('Hi'),
        { type: 'function_call', name: 'f', arguments: { a: 1 } },
        { type: 'function_call', id: 'fc_1', name: 'g' },
      ),
    ).to.deep.equal([
      { type: 'text', text: 'Hi' },
      { type: 'tool-call', id: 'call_3_0_0', name: 'f', kind: 'function', input: '{"a":1}' },
      { type: 'tool-call', id: 'fc_1', name: 'g', kind: 'function', input: '{}' },
    ]);
  });

  it('reads the finish from the status and the items', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    expect(finishOf([message('x')])).to.deep.equal({ reason: 'stop', vendor: 'completed' });
    expect(finishOf([message('x')], { status: 'complete' })?.reason).to.equal('stop');
    expect(finishOf([call])?.reason).to.equal('tool_calls');
    expect(finishOf([message([{ type: 'refusal', refusal: 'No.' }])])?.reason).to.equal('refusal');
    expect(
      finishOf([call], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
    ).to.deep.equal({ reason: 'length', vendor: 'max_output_tokens' });
    expect(finishOf([], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } })?.reason).to.equal(
      'content_filter',
    );
    expect(finishOf([], { status: 'queued' })).to.deep.equal({ reason: 'pause', vendor: 'queued', unfinished: true });
  });

  it('E36: counts no more cached than input tokens, and reasoning beside an output that cannot include it', () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 120 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 9 },
    };
    expect(readResponse(answer([], { usage, service_tier: 'flex' })).usage).to.deep.equal({
      inputUncached: 0,
      cacheRead: 100,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 14,
      reasoning: 9,
      tier: 'flex',
      source: 'provider',
      raw: usage,
    });
  });

  it('distinguishes tokens written to the cache by their lifetime', () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: {
        cached_tokens: 10,
        cache_write_tokens: 50,
        cache_write_tokens_details: { ttl_30m_tokens: 30, ttl_12h_tokens: 20 },
      },
      output_tokens: 5,
    };
    expect(readResponse(answer([], { usage })).usage).to.include({
      inputUncached: 40,
      cacheRead: 10,
      cacheWrite5m: 30,
      cacheWrite12h: 20,
    });
    expect(readResponse(answer([], { usage: null })).usage).to.equal(undefined);
  });

  it('reads the searches and the images of hosted tools, which are not in the usage', () => {
    const usage = { input_tokens: 100, output_tokens: 5, total_tokens: 105 };
    const images = {
      input_tokens: 60,
      input_tokens_details: { image_tokens: 50, text_tokens: 10 },
      cached_tokens: 20,
      cached_tokens_details: { cached_image_tokens: 20, cached_text_tokens: 0 },
      output_tokens: 300,
      output_tokens_details: { image_tokens: 280, text_tokens: 20 },
      total_tokens: 360,
    };
    const tools = { tool_usage: { web_search: { num_requests: 2 }, image_gen: images } };
    const read = (members: object) => readResponse(answer([], { usage, ...members })).usage;
    const furtherCall = {
      inputUncached: 40,
      cacheRead: 20,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 300,
      reasoning: 0,
      inputImage: 30,
      outputImage: 280,
      model: 'gpt-image-2',
      source: 'provider',
      raw: images,
    };
    expect(read(tools)).to.deep.include({ inputUncached: 100, output: 5, units: { webSearches: 2 } });
    expect(read(tools)?.further).to.deep.equal([furtherCall]);
    const named = read({
      ...tools,
      tools: [{ type: 'web_search' }, { type: 'image_generation', model: 'gpt-image-1.5' }],
    });
    expect(named?.further).to.deep.equal([{ ...furtherCall, model: 'gpt-image-1.5' }]);
    const none = read({
      tool_usage: { web_search: { num_requests: 0 }, image_gen: { input_tokens: 0, output_tokens: 0 } },
    });
    expect(none).to.not.have.any.keys('units', 'further');
  });

  it('keeps unknown members, but not those that repeat the request', () => {
    expect(
      readResponse(answer([], { instructions: 'x', tools: [{}], temperature: 1, billing: { payer: 'developer' } }))
        .extra,
    ).to.deep.equal({ wire: 'responses', members: { billing: { payer: 'developer' } } });
    expect(readResponse(answer([], { store: true })).extra).to.equal(undefined);
  });

  it('reports once what the canonical form does not have', () => {
    const logged = [{ type: 'output_text', text: 'x' }];
    const { losses } = readWithLosses(
      answer([
        message(logged, { phase: 'commentary' }),
        message(logged, { phase: 'final_answer' }),
        { type: 'function_call', call_id: 'c', name: 'f', caller: { type: 'program' } },
      ]),
    );
    expect(fieldsOf(losses)).to.deep.equal(['output.phase dropped', 'output.caller dropped']);
  });

  it('throws the error of a failed response, or for a body that is not a response', () => {
    expect(thrownBy(answer([], { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } }))).to.include(
      { failure: 'rate-limit' },
    );
    expect(thrownBy(answer([], { status: 'cancelled' }))).to.include({ code: 'upstream_error' });
    expect(thrownBy({ error: { message: 'x', code: 'insufficient_quota' } })).to.include({ failure: 'quota' });
    for (const body of [undefined, null, 'x', [], {}, { output: null }])
      expect(thrownBy(body), JSON.stringify(body)).to.include({ code: 'upstream_bad_response' });
  });

  it("throws the same errors as chat-completions, with the vendor's body for clients of this wire", () => {
    const error = decodeError({
      status: 400,
      headers: {},
      body: { error: { message: 'x', type: 'invalid_request_error', param: 'input[0]', code: null } },
    });
    expect(error).to.include({ failure: 'caller-fault', param: 'input[0]', status: 400 });
    expect(error.vendor).to.include({ wire: 'responses' });
    expect(
      decodeError({
        status: 429,
        headers: { 'retry-after': '2' },
        body: { error: { code: 'rate_limit_exceeded', message: 'x' } },
      }),
    ).to.include({ failure: 'rate-limit', retryAfterMs: 2_000 });
  });
});
