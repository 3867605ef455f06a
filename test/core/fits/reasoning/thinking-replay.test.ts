import { expect } from 'chai';
import type { Part } from '../../../../core/canonical/part.ts';
import { thinkingReplayFit } from '../../../../core/fits/reasoning/thinking-replay.ts';
import { assistant, call, createProfile, createRequest, namesOf, result, runFit, user } from '../samples.ts';

const thought: Part = { type: 'reasoning', text: 'hm', proof: { origin: undefined, value: 'sig' } };
const budget = createProfile({ thinking: 'budget' });
const loop = (...parts: readonly Part[]) =>
  createRequest({
    turns: [user('a'), assistant(...parts), user(result('c1'))],
    reasoning: { budget: 2_000, show: true },
  });

describe('thinking-replay fit', () => {
  it('switches thinking off for a tool loop that has lost its reasoning', () => {
    const { request, losses } = runFit(thinkingReplayFit, loop(call('c1')), budget);
    expect(request.reasoning).to.deep.include({ budget: 0, show: true });
    expect(namesOf(losses)).to.deep.equal(['reasoning.max_tokens dropped']);
  });

  it('keeps thinking on if the reasoning is present, or the last assistant turn has no call', () => {
    expect(runFit(thinkingReplayFit, loop(thought, call('c1')), budget).fitted).to.equal(undefined);
    expect(runFit(thinkingReplayFit, loop({ type: 'text', text: 'b' }), budget).fitted).to.equal(undefined);
    const later = loop(call('c1'));
    expect(
      runFit(thinkingReplayFit, { ...later, turns: [...later.turns, assistant('done'), user('more')] }, budget).fitted,
    ).to.equal(undefined);
  });

  it('thinking-replay does not apply to adaptive thinking or to other wires', () => {
    expect(runFit(thinkingReplayFit, loop(call('c1')), createProfile({ thinking: 'adaptive' })).fitted).to.equal(
      undefined,
    );
    expect(
      runFit(thinkingReplayFit, loop(call('c1')), createProfile({ thinking: 'budget' }, { wire: 'generate-content' }))
        .fitted,
    ).to.equal(undefined);
  });
});
