import { expect } from 'chai';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../../../../core/api/index.ts';
import { foldEvents, type GenerateEvent } from '../../../../../../core/api/codec.ts';
import { chunk, foldChunks, origin, readBytes, readChunks, readSse, sseOf } from '../../harness.ts';

const DONE = '[DONE]';
const typesOf = (events: readonly GenerateEvent[]) => events.map(({ type }) => type);
const partsOf = (...chunks: readonly (JsonObject | string)[]) => foldChunks(...chunks).choices[0]?.parts;
const errorOf = (events: readonly GenerateEvent[]) =>
  events.flatMap((event) => (event.type === 'error' ? event.error : []))[0];

describe('chat-completions: upstream stream', () => {
  it('emits events in order, with an end for each start and one terminal event', () => {
    expect(
      readChunks(
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'a' }),
        chunk({ content: 'b' }),
        chunk({}, 'stop'),
        { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
        DONE,
      ),
    ).to.deep.equal([
      { type: 'response-start', id: 'c1', model: 'm' },
      { type: 'part-start', choice: 0, part: 0, kind: 'text' },
      { type: 'part-delta', choice: 0, part: 0, text: 'a' },
      { type: 'part-delta', choice: 0, part: 0, text: 'b' },
      { type: 'part-end', choice: 0, part: 0 },
      { type: 'choice-end', choice: 0, finish: { reason: 'stop', vendor: 'stop' } },
      {
        type: 'usage',
        usage: {
          inputUncached: 1,
          cacheRead: 0,
          cacheWrite5m: 0,
          cacheWrite1h: 0,
          output: 2,
          reasoning: 0,
          source: 'provider',
          raw: { prompt_tokens: 1, completion_tokens: 2 },
        },
      },
      { type: 'response-end' },
    ]);
  });

  it('accepts a stream without [DONE] when every choice has finished', () => {
    expect(typesOf(readChunks(chunk({ content: 'a' }, 'stop'))).at(-1)).to.equal('response-end');
  });

  it('E30: ends a stream that was cut with an error', () => {
    for (const chunks of [
      [],
      [chunk({ role: 'assistant' })],
      [chunk({ content: 'a' })],
      [chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' }, null, 1)],
    ]) {
      const events = readChunks(...chunks);
      expect(errorOf(events)?.code).to.equal('upstream_truncated');
      expect(typesOf(events).filter((type) => type === 'error' || type === 'response-end')).to.have.length(1);
    }
  });

  it('E32: does not close a call when the stream ends inside its arguments', () => {
    const events = readChunks(
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x' } }] }),
    );
    expect(typesOf(events)).to.deep.equal(['response-start', 'part-start', 'part-delta', 'error']);
  });

  it('ends with an error when [DONE] comes before any finish, truncated or empty', () => {
    const call = chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] });
    for (const said of [chunk({ content: 'a' }), chunk({ content: 'a' }, ''), call])
      expect(errorOf(readChunks(said, DONE))?.code).to.equal('upstream_truncated');
    expect(
      foldChunks(
        {
          choices: [
            { index: 0, delta: { content: 'a' }, finish_reason: 'stop' },
            { index: 1, delta: { content: 'b' } },
          ],
        },
        DONE,
      ).choices.map(({ finish }) => finish.reason),
    ).to.deep.equal(['stop', 'stop']);
    expect(errorOf(readChunks(chunk({ role: 'assistant' }), DONE))?.code).to.equal('upstream_bad_response');
    expect(errorOf(readChunks(DONE))?.code).to.equal('upstream_bad_response');
  });

  it('accepts [DONE] without a finish from a server that omits it, unless there is no content', () => {
    const read = (...chunks: readonly (JsonObject | string)[]) => readSse(sseOf(...chunks), { omitsFinish: true });
    expect(foldEvents(read(chunk({ content: 'a' }), DONE)).choices[0]?.finish).to.deep.equal({ reason: 'stop' });
    expect(errorOf(read(chunk({ role: 'assistant' }), DONE))?.code).to.equal('upstream_bad_response');
    expect(errorOf(read(chunk({ content: 'a' })))?.code).to.equal('upstream_truncated');
  });

  it('ends with an error on a frame that is not JSON', () => {
    for (const broken of ['{"choices":[', 'null', '[]', '5']) {
      const events = readChunks(chunk({ content: 'a' }), broken, chunk({ content: 'b' }, 'stop'), DONE);
      expect(errorOf(events)?.code).to.equal('upstream_bad_response');
      expect(typesOf(events).at(-1)).to.equal('error');
    }
  });

  it('E31: reads an error anywhere in the stream, as a named event or not', () => {
    expect(
      errorOf(readChunks({ error: { message: 'x', type: 'server_error', code: 'overloaded' } }))?.failure,
    ).to.equal('overloaded');
    expect(
      errorOf(
        readChunks(
          chunk({ content: 'a' }),
          { error: { code: 400, message: 'Token limit reached' }, choices: [] },
          DONE,
        ),
      )?.status,
    ).to.equal(400);
    expect(errorOf(readChunks({ error: 'text only' }))?.message).to.equal('text only');
    expect(errorOf(readSse('event: error\ndata: {"message":"flat","type":"rate_limit_error"}\n\n'))?.failure).to.equal(
      'rate-limit',
    );
    expect(
      errorOf(
        readChunks({
          choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'gone' } }],
        }),
      )?.failure,
    ).to.equal('transient');
    expect(errorOf(readChunks(chunk({ content: 'a' }, 'insufficient_system_resource')))?.failure).to.equal('unknown');
    expect(errorOf(readChunks({ error: null, ...chunk({ content: 'a' }, 'stop') }))).to.equal(undefined);
  });

  it('emits nothing of a second choice after the first one failed', () => {
    const events = readChunks({
      choices: [
        { index: 0, delta: {}, finish_reason: 'error' },
        { index: 1, delta: { content: 'a' } },
      ],
    });
    expect(typesOf(events)).to.deep.equal(['response-start', 'error']);
  });

  it('a decoder emits nothing after the terminal event', () => {
    const events = readChunks(chunk({ content: 'a' }, 'stop'), DONE, chunk({ content: 'b' }), 'garbage', DONE);
    expect(typesOf(events).at(-1)).to.equal('response-end');
    expect(typesOf(events).filter((type) => type === 'response-end')).to.have.length(1);
  });

  it('starts with the first chunk that has an id or choices', () => {
    const events = readChunks(
      { id: '', model: '', choices: [], prompt_filter_results: [] },
      { ...chunk({ content: 'a' }, 'stop'), id: 'real', model: 'gpt' },
      DONE,
    );
    expect(events[0]).to.deep.equal({ type: 'response-start', id: 'real', model: 'gpt' });
    expect(events.filter(({ type }) => type === 'response-start')).to.have.length(1);
  });

  it('accepts a repeated role, a missing delta and content after the finish', () => {
    expect(
      partsOf(
        chunk({ role: 'assistant', content: 'a' }),
        chunk({ role: 'assistant', content: 'b' }),
        { choices: [{ index: 0, finish_reason: null }] },
        chunk({}, 'stop'),
        chunk({ content: 'late' }, 'stop'),
        DONE,
      ),
    ).to.deep.equal([{ type: 'text', text: 'ab' }]);
  });

  it('accepts a whole message in the same chunk as a delta', () => {
    expect(
      partsOf(
        { choices: [{ index: 0, delta: { content: 'a' }, message: { content: 'a' } }] },
        { choices: [{ index: 0, delta: { content: 'b' }, message: { content: 'ab' }, finish_reason: 'stop' }] },
      ),
    ).to.deep.equal([{ type: 'text', text: 'ab' }]);
  });

  it('reads usage with the finish, on every chunk, in x_groq or before the content', () => {
    const used = (completion_tokens: number) => ({
      prompt_tokens: 1,
      completion_tokens,
      total_tokens: 1 + completion_tokens,
    });
    const output = (...chunks: readonly (JsonObject | string)[]) => foldChunks(...chunks, DONE).usage?.output;
    expect(output({ ...chunk({ content: 'a' }, 'stop'), usage: used(3) })).to.equal(3);
    expect(
      output({ ...chunk({ content: 'a' }), usage: used(1) }, { ...chunk({ content: 'b' }, 'stop'), usage: used(2) }),
    ).to.equal(2);
    expect(output({ ...chunk({ content: 'a' }, 'stop'), x_groq: { usage: used(4) } })).to.equal(4);
    expect(output(chunk({ content: 'a' }, 'stop'), { choices: [], usage: used(5), service_tier: 'flex' })).to.equal(5);
    expect(output({ ...chunk({ content: 'a' }, 'stop'), usage: null })).to.equal(undefined);
    expect(
      foldChunks(chunk({ content: 'a' }, 'stop'), { choices: [], usage: used(5), service_tier: 'flex' }, DONE).usage
        ?.tier,
    ).to.equal('flex');
  });

  it('keeps several choices separate', () => {
    const { choices } = foldChunks(
      chunk({ content: 'a' }, null, 0),
      chunk({ content: 'x' }, null, 1),
      chunk({ content: 'b' }, 'stop', 0),
      chunk({}, 'length', 1),
      DONE,
    );
    expect(choices.map(({ parts, finish }) => [parts, finish.reason])).to.deep.equal([
      [[{ type: 'text', text: 'ab' }], 'stop'],
      [[{ type: 'text', text: 'x' }], 'length'],
    ]);
  });

  it('reads reasoning from any member that vendors use, once', () => {
    const thought = (delta: object) => partsOf(chunk({ ...delta }), chunk({ content: 'x' }, 'stop'))?.[0];
    expect(thought({ reasoning_content: 'a' })).to.deep.equal({ type: 'reasoning', text: 'a' });
    expect(thought({ reasoning: 'a' })).to.deep.equal({ type: 'reasoning', text: 'a' });
    expect(thought({ reasoning: 'a', reasoning_content: 'a' })).to.deep.equal({ type: 'reasoning', text: 'a' });
    expect(
      thought({ reasoning: 'a', reasoning_details: [{ type: 'reasoning.summary', summary: 'a', index: 0 }] }),
    ).to.deep.equal({ type: 'reasoning', text: 'a' });
    expect(thought({ reasoning: 'a', reasoning_details: [] })).to.deep.equal({ type: 'reasoning', text: 'a' });
    expect(thought({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }] })).to.deep.equal({
      type: 'reasoning',
      text: 'a',
    });
  });

  it('joins the fragments of a detail and sets the origin of its proof', () => {
    const detail = (members: object) =>
      chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...members }] });
    expect(
      partsOf(
        detail({ text: 'a' }),
        detail({ text: 'b' }),
        detail({ signature: 'S' }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'D', index: 1 }] }),
        chunk({ content: 'x' }, 'stop'),
      ),
    ).to.deep.equal([
      { type: 'reasoning', text: 'ab', proof: { origin, value: 'S' } },
      { type: 'reasoning', text: '', redacted: true, proof: { origin, value: 'D', redacted: true } },
      { type: 'text', text: 'x' },
    ]);
  });

  it('reads content that is an object as its JSON', () => {
    expect(partsOf(chunk({ content: { answer: 42 } }, 'stop'), DONE)).to.deep.equal([
      { type: 'text', text: '{"answer":42}' },
    ]);
  });

  it('reads content lists, refusals, images and citations', () => {
    const citation = { type: 'url_citation', url_citation: { url: 'https://x' } };
    expect(
      partsOf(
        chunk({
          content: [
            { type: 'text', text: 'a' },
            { type: 'reference', reference_ids: [1] },
          ],
        }),
        chunk({ content: 'b' }),
        chunk({ annotations: [citation] }),
        chunk({ images: [{ type: 'image_url', image_url: { url: 'https://x/i.png' } }] }),
        chunk({ refusal: 'no' }, 'stop'),
      ),
    ).to.deep.equal([
      { type: 'text', text: 'a' },
      { type: 'opaque', wire: 'chat-completions', value: { type: 'reference', reference_ids: [1] } },
      {
        type: 'text',
        text: 'b',
        citations: [{ url: 'https://x', vendor: { wire: 'chat-completions', value: citation } }],
      },
      { type: 'media', media: { mediaType: 'image/*', url: 'https://x/i.png' } },
      { type: 'refusal', text: 'no' },
    ]);
    expect(foldChunks(chunk({ refusal: 'no' }, 'stop')).choices[0]?.finish.reason).to.equal('refusal');
  });

  it('E39: never emits half a surrogate pair', () => {
    const texts = readChunks(
      chunk({ content: 'a\ud83d' }),
      chunk({ content: '\ude00b' }),
      chunk({ content: '\ud83d' }),
      chunk({}, 'stop'),
    ).flatMap((event) => (event.type === 'part-delta' ? event.text : []));
    expect(texts).to.deep.equal(['a', '😀b', '\ud83d']);
  });

  it('E39: emits the same events however the bytes are split', () => {
    const text = `: comment\r\n\r\n${sseOf(chunk({ role: 'assistant', content: '' }), chunk({ reasoning_content: 'hmm 😀' }), chunk({ content: 'é😀' }), chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"ü":' } }] }), chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }), chunk({}, 'tool_calls'), { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }, DONE).replaceAll('\n', '\r\n')}`;
    const bytes = Buffer.from(text);
    const whole = readBytes(bytes);
    expect(typesOf(whole).at(-1)).to.equal('response-end');
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => void expect(readBytes(bytes, cuts)).to.deep.equal(whole)),
    );
  });

  it('ends with one terminal event and never throws when cut at any byte', () => {
    const bytes = Buffer.from(
      sseOf(
        chunk({ content: 'a' }),
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }),
        chunk({}, 'tool_calls'),
        DONE,
      ),
    );
    for (let end = 0; end <= bytes.length; end += 1) {
      const terminals = readBytes(bytes.subarray(0, end)).filter(
        ({ type }) => type === 'error' || type === 'response-end',
      );
      expect(terminals, `cut at ${end}`).to.have.length(1);
    }
  });

  it('a decoder ignores unknown members of a chunk', () => {
    expect(() =>
      foldEvents(
        readChunks(
          { ...chunk({ content: 'a', channel: 'x', provider_metadata: {} }, 'stop'), obfuscation: 'zzz', p: 'abc' },
          DONE,
        ),
      ),
    ).to.not.throw();
  });
});
