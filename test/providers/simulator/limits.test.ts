import { expect } from 'chai';
import { request } from './canonical-wire.ts';
import { call, callStream, createSimulator, textOf } from './simulate.ts';

describe('simulator: token caps, stop sequences and pinned finish reasons', () => {
  it('uses exactly the allowed tokens and finishes with length', async () => {
    const answer = await call(await createSimulator(), request({ maxTokens: 5 }));
    expect(textOf(answer)).to.have.length(20);
    expect(answer.choices[0]?.finish).to.deep.equal({ reason: 'length' });
    expect(answer.usage?.output).to.equal(5);
  });

  it('a response is not cut by a cap that is large enough', async () => {
    const whole = await call(await createSimulator(), request({}));
    const capped = await call(await createSimulator(), request({ maxTokens: whole.usage?.output ?? 0 }));
    expect(capped.choices).to.deep.equal(whole.choices);
  });

  it('counts reasoning against the cap', async () => {
    const answer = await call(await createSimulator(), request({ maxTokens: 20, reasoning: { effort: 'low' } }));
    expect(answer.usage?.output).to.equal(20);
    expect(answer.usage?.reasoning).to.be.greaterThan(5);
    const all = await call(await createSimulator(), request({ maxTokens: 4, reasoning: { effort: 'high' } }));
    expect(all.choices[0]?.parts.map(({ type }) => type)).to.deep.equal(['reasoning']);
    expect(all.usage).to.include({ output: 4, reasoning: 4 });
    expect(all.choices[0]?.finish.reason).to.equal('length');
  });

  it('a cap does not split a surrogate pair', async () => {
    const answer = await call(await createSimulator(), request({ text: '😀'.repeat(20), maxTokens: 3 }));
    expect(textOf(answer)).to.equal('You said: 😀');
    const odd = await call(await createSimulator(), request({ text: `a${'😀'.repeat(20)}`, maxTokens: 3 }));
    expect(textOf(odd)).to.equal('You said: a');
  });

  it('stops before the first stop sequence in the text and names it', async () => {
    const answer = await call(
      await createSimulator(),
      request({ text: 'one STOP two END', stop: ['END', 'STOP', ''] }),
    );
    expect(textOf(answer)).to.equal('You said: one ');
    expect(answer.choices[0]?.finish).to.deep.equal({ reason: 'stop_sequence', sequence: 'STOP' });
  });

  it('the simulator refuses on request, plain and streamed', async () => {
    const simulate = await createSimulator('chat?refusal=1&message=I+will+not');
    const answer = await call(simulate, request({}));
    expect(answer.choices[0]).to.deep.equal({
      parts: [{ type: 'refusal', text: 'I will not' }],
      finish: { reason: 'refusal', explanation: 'I will not' },
    });
    expect((await callStream(simulate, request({}))).find(({ type }) => type === 'part-start')).to.include({
      kind: 'refusal',
    });
  });

  it('the simulator finishes for the requested reason', async () => {
    const answer = await call(await createSimulator('chat?finish=content_filter'), request({}));
    expect(answer.choices[0]?.finish).to.deep.equal({ reason: 'content_filter' });
  });
});
