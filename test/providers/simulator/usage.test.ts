import { expect } from 'chai';
import { inputTotal, type Turn } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { createPromptCache } from '../../../providers/simulator/prompt-cache.ts';
import { readPrompt } from '../../../providers/simulator/prompt.ts';
import { request } from './canonical-wire.ts';
import { call, callStream, createSimulator, textOf } from './simulate.ts';

const say = (role: Turn['role'], text: string, cache?: { ttl: '5m' | '1h' }): Turn => ({
  role,
  parts: [omitUndefined({ type: 'text', text, cache })],
});

describe('simulator: usage', () => {
  it('counts four characters of input and of output as a token', async () => {
    const answer = await call(
      await createSimulator(),
      request({ turns: [say('system', 'x'.repeat(41)), say('user', 'y'.repeat(20))] }),
    );
    expect(answer.usage).to.deep.equal({
      inputUncached: Math.ceil(61 / 4),
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: Math.ceil(textOf(answer).length / 4),
      reasoning: 0,
      source: 'provider',
    });
  });

  it('counts an image as 256 tokens, and tools with their schemas', async () => {
    const image = { type: 'media', media: { mediaType: 'image/png', base64: 'iVBORw0KGgo=' } } as const;
    const answer = await call(
      await createSimulator(),
      request({ turns: [{ role: 'user', parts: [{ type: 'text', text: 'abcd' }, image, image] }] }),
    );
    expect(answer.usage?.inputUncached).to.equal(1 + 2 * 256);
    const tool = { name: 'look', kind: 'function', description: 'sees', schema: { type: 'object' } } as const;
    const tooled = await call(await createSimulator(), request({ text: 'abcd', tools: [tool] }));
    expect(tooled.usage?.inputUncached).to.equal(Math.ceil((4 + 4 + 4 + JSON.stringify(tool.schema).length) / 4));
  });

  it('reads earlier turns of a conversation from the cache, and counts each token once', async () => {
    const simulate = await createSimulator();
    const first = [say('system', 's'.repeat(40)), say('user', 'u'.repeat(40))];
    const second = [...first, say('assistant', 'a'.repeat(40)), say('user', 'v'.repeat(40))];
    expect((await call(simulate, request({ turns: first }))).usage).to.include({ cacheRead: 0, inputUncached: 20 });
    expect((await call(simulate, request({ turns: second }))).usage).to.include({ cacheRead: 20, inputUncached: 20 });
    expect(
      (await call(simulate, request({ turns: [first[0] ?? say('system', ''), say('user', 'other')] }))).usage,
    ).to.include({ cacheRead: 10, inputUncached: 2 });
    expect(
      (
        await call(
          simulate,
          request({ turns: [say('system', 'different'), ...first.slice(1), say('assistant', 'a'), say('user', 'v')] }),
        )
      ).usage,
    ).to.include({ cacheRead: 0 });
  });

  it('never reads the newest turn from the cache, so a single question always costs the same', async () => {
    const simulate = await createSimulator();
    const [one, two] = [await call(simulate, request({})), await call(simulate, request({}))];
    expect(two.usage).to.deep.equal(one.usage);
  });

  it('writes marked prefixes to the cache with the lifetime of the mark, and reads them the next time', async () => {
    const simulate = await createSimulator();
    const turns = [say('system', 's'.repeat(400), { ttl: '1h' }), say('user', 'u'.repeat(40), { ttl: '5m' })];
    const write = (await call(simulate, request({ turns }))).usage;
    const read = (await call(simulate, request({ turns }))).usage;
    expect(write).to.include({ inputUncached: 0, cacheRead: 0, cacheWrite1h: 100, cacheWrite5m: 10 });
    expect(read).to.include({ inputUncached: 0, cacheRead: 110, cacheWrite1h: 0, cacheWrite5m: 0 });
  });

  it('the cache drops the oldest of 1,000 prefixes', () => {
    const cache = createPromptCache();
    const prompt = (name: string) =>
      readPrompt(request({ turns: [say('user', name.padEnd(40)), say('assistant', 'a'), say('user', 'b')] }));
    const opening = (name: string) => readPrompt(request({ turns: [say('user', name.padEnd(40))] }));
    cache.count(opening('first'));
    for (let index = 0; index < 999; index += 1) cache.count(opening(`other ${index}`));
    expect(cache.count(prompt('first')).read, 'still there, and fresh again').to.equal(10);
    for (let index = 0; index < 500; index += 1) cache.count(opening(`more ${index}`));
    expect(cache.count(prompt('first')).read, 'kept because it was used').to.equal(10);
    for (let index = 0; index < 1_001; index += 1) cache.count(opening(`another ${index}`));
    expect(cache.count(prompt('first')).read).to.equal(0);
  });

  it('leaves usage out on request, plain and streamed', async () => {
    const simulate = await createSimulator('chat?usage=none');
    expect(await call(simulate, request({}))).to.not.have.property('usage');
    expect((await callStream(simulate, request({}))).map(({ type }) => type)).to.not.include('usage');
  });

  it('reports pinned counts: the worked example of a cached call with reasoning', async () => {
    const simulate = await createSimulator(
      'chat?inputTokens=12&cacheReadTokens=4000&cacheWriteTokens=300&cacheWrite1hTokens=200&outputTokens=90&reasoningTokens=60',
    );
    const { usage } = await call(simulate, request({}));
    expect(usage).to.include({
      inputUncached: 12,
      cacheRead: 4_000,
      cacheWrite5m: 300,
      cacheWrite1h: 200,
      output: 90,
      reasoning: 60,
    });
    expect(usage === undefined ? 0 : inputTotal(usage)).to.equal(4_512);
  });
});
