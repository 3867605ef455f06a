import { expect } from 'chai';
import type { Reasoning } from '../../../../core/api/index.ts';
import { request } from '../canonical-wire.ts';
import { call, callStream, createSimulator } from '../simulate.ts';

const reason = async (reasoning: Reasoning) => call(await createSimulator(), request({ reasoning }));

describe('simulator: reasoning', () => {
  it('reasons before it responds, with a proof, and counts the reasoning as output', async () => {
    const { choices, usage } = await reason({ effort: 'medium' });
    const [thought, answer] = choices[0]?.parts ?? [];
    expect(thought).to.include({ type: 'reasoning' });
    expect(answer).to.include({ type: 'text' });
    if (thought?.type !== 'reasoning' || answer?.type !== 'text') throw new Error('unreachable');
    expect(thought.proof?.value).to.match(/^[A-Za-z0-9+/]+=*$/);
    expect(usage?.reasoning).to.equal(Math.ceil(thought.text.length / 4));
    expect(usage?.output).to.equal(Math.ceil(thought.text.length / 4) + Math.ceil(answer.text.length / 4));
  });

  it('reasons longer for a higher effort and never beyond a budget', async () => {
    const counts = await Promise.all(
      ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'].map(
        async (effort) => (await reason({ effort })).usage?.reasoning ?? 0,
      ),
    );
    expect(counts).to.deep.equal([...new Set(counts)].sort((one, other) => one - other));
    expect((await reason({ budget: 3 })).usage?.reasoning).to.equal(3);
  });

  it('the simulator does not reason unless requested', async () => {
    for (const off of [{}, { effort: 'none' }, { budget: 0 }, { effort: 'high', budget: 0 }, { show: true }]) {
      const { choices, usage } = await reason(off);
      expect(
        choices[0]?.parts.map(({ type }) => type),
        JSON.stringify(off),
      ).to.deep.equal(['text']);
      expect(usage?.reasoning).to.equal(0);
    }
  });

  it('bills reasoning that is excluded', async () => {
    const { choices, usage } = await reason({ effort: 'low', show: false });
    // What is left is its proof.
    const [reasoning, ...others] = choices[0]?.parts ?? [];
    expect(reasoning).to.include({ type: 'reasoning', text: '' });
    expect(others.map(({ type }) => type)).to.deep.equal(['text']);
    expect(usage?.reasoning).to.be.greaterThan(0);
  });

  it('streams the reasoning first, with its proof at the end', async () => {
    const events = await callStream(await createSimulator(), request({ reasoning: { effort: 'low' } }));
    const starts = events.flatMap((event) => (event.type === 'part-start' ? [event.kind] : []));
    const ends = events.flatMap((event) => (event.type === 'part-end' ? [event.proof !== undefined] : []));
    expect(starts).to.deep.equal(['reasoning', 'text']);
    expect(ends).to.deep.equal([true, false]);
  });
});
