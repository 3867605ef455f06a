import { expect } from 'chai';
import { foldEvents } from '../../../core/api/codec.ts';
import { request } from './canonical-wire.ts';
import { call, callStream, createSimulator, deltasOf, NOW, readChunks, textOf } from './simulate.ts';

describe('simulator: the default response', () => {
  it('echoes the last user text and fills up to the configured number of words', async () => {
    const text = textOf(await call(await createSimulator(), request({ text: 'What is  a\ngateway?' })));
    expect(text).to.match(/^You said: What is a gateway\? /);
    expect(text.split(' ')).to.have.length(30);
    expect(text).to.match(/\.$/);
  });

  it('responds with exactly the number of words of the text, else of the model, else of the configuration', async () => {
    for (const words of [1, 2, 3, 7, 31, 200, 1_000]) {
      expect(
        textOf(await call(await createSimulator('chat', { words }), request({}))).split(' '),
        `${words} words`,
      ).to.have.length(words);
    }
    const named = await createSimulator('chat?words=12', { words: 50 });
    expect(textOf(await call(named, request({}))).split(' ')).to.have.length(12);
    expect(textOf(await call(named, request({ text: 'Hi [[simulator words=5]]' }))).split(' ')).to.have.length(5);
  });

  it('truncates the echo of a long text and marks it', async () => {
    const text = textOf(await call(await createSimulator(), request({ text: 'word '.repeat(5_000) })));
    expect(text).to.match(/^You said: (word ){13}…/);
    expect(text.split(' ')).to.have.length(30);
  });

  it('the simulator responds without any user text', async () => {
    expect(textOf(await call(await createSimulator(), request({ turns: [] })))).to.match(/^You said nothing\. /);
  });

  it('returns the same bytes in two processes for the same request, and other ids for other requests', async () => {
    const bytes = async (text: string, stream: boolean) =>
      readChunks(await (await createSimulator())({ body: request({ text, stream }) }));
    expect(await bytes('One', false)).to.deep.equal(await bytes('One', false));
    expect(await bytes('One', true)).to.deep.equal(await bytes('One', true));
    const one = await call(await createSimulator(), request({ text: 'One' }));
    const two = await call(await createSimulator(), request({ text: 'Two' }));
    expect(one.id).to.match(/^first-[0-9a-f]{24}0$/);
    expect(one)
      .to.have.property('other')
      .that.matches(/^second-[0-9a-f]{24}1$/);
    expect(one.id).to.not.equal(two.id);
    expect(one.created).to.equal(Math.floor(NOW / 1_000));
  });

  it('streams the plain response one word at a time', async () => {
    const simulate = await createSimulator();
    const plain = await call(simulate, request({}));
    const events = await callStream(simulate, request({}));
    expect(deltasOf(events)).to.have.length.of.at.least(25);
    expect(deltasOf(events).slice(0, 4)).to.deep.equal(['You', ' said:', ' Good', ' morning.']);
    const { choices, usage, model } = foldEvents(events);
    expect({ choices, usage, model }).to.deep.equal({ choices: plain.choices, usage: plain.usage, model: 'chat' });
    expect(events.at(-1)).to.deep.equal({ type: 'response-end' });
  });

  it('reports input usage early in a stream, and output usage at its end', async () => {
    const events = await callStream(await createSimulator(), request({ reasoning: { effort: 'low' } }));
    const usages = events.flatMap((event, index) => (event.type === 'usage' ? [{ index, usage: event.usage }] : []));
    expect(usages.map(({ index }) => index)).to.deep.equal([1, events.length - 2]);
    expect(usages[0]?.usage).to.deep.equal({ ...usages[1]?.usage, output: 0, reasoning: 0 });
    expect(usages[1]?.usage.output).to.be.greaterThan(usages[1]?.usage.reasoning ?? 0);
  });

  it('the simulator streams when only the route requires it', async () => {
    const reply = await (await createSimulator())({ body: request({}), stream: true });
    expect(reply.headers['content-type']).to.match(/^text\/event-stream/);
  });

  it('never splits a character between deltas', async () => {
    const events = await callStream(await createSimulator(), request({ text: `a${'😀'.repeat(40)}` }));
    expect(deltasOf(events).every((delta) => delta.isWellFormed())).to.equal(true);
    expect(deltasOf(events).join('')).to.contain('😀'.repeat(40));
  });

  it('returns as many choices as requested, all different, and counts the prompt once', async () => {
    const one = await call(await createSimulator(), request({}));
    const three = await call(await createSimulator(), request({ choices: 3 }));
    expect(three.choices).to.have.length(3);
    expect(new Set([0, 1, 2].map((index) => textOf(three, index))).size).to.equal(3);
    expect(three.usage?.inputUncached).to.equal(one.usage?.inputUncached);
    expect(three.usage?.output).to.equal(
      [0, 1, 2].reduce((sum, index) => sum + Math.ceil(textOf(three, index).length / 4), 0),
    );
  });

  it('rejects a response that would not fit in memory', async () => {
    const reply = await (await createSimulator('chat?words=1000000'))({ body: request({ choices: 2 }) });
    expect(reply.status).to.equal(400);
    expect((await readChunks(reply)).join('')).to.contain('"param":"n"');
  });
});
