import { expect } from 'chai';
import { omitUndefined } from '../../../../core/api/codec.ts';
import type { Reasoning } from '../../../../core/canonical/request.ts';
import type { Capabilities } from '../../../../core/contracts/capabilities.ts';
import { reasoningFit } from '../../../../core/fits/reasoning/reasoning.ts';
import { createProfile, createRequest, namesOf, runFit } from '../samples.ts';

const bend = (reasoning: Reasoning, capabilities: Capabilities, maxTokens?: number, wire = 'messages') =>
  runFit(
    reasoningFit,
    createRequest(omitUndefined({ reasoning, maxTokens, wire: 'slips' })),
    createProfile(capabilities, { wire }),
  );

describe('reasoning fit', () => {
  describe('for a model that takes a budget', () => {
    const budget: Capabilities = { thinking: 'budget' };
    const shares: readonly (readonly [string, number])[] = [
      ['minimal', 1_280],
      ['low', 6_400],
      ['medium', 19_200],
      ['high', 38_400],
      ['xhigh', 57_600],
      ['max', 60_800],
    ];
    for (const [effort, expected] of shares) {
      it(`converts the effort ${effort} to its share of the output cap`, () => {
        const { request, losses } = bend({ effort, show: true }, budget, 64_000);
        expect(request.reasoning).to.deep.equal({ budget: expected, show: true });
        expect(namesOf(losses)).to.deep.equal(['reasoning_effort approximated']);
      });
    }

    it('never sends a thinking budget of fewer than 1,024 tokens', () => {
      expect(bend({ effort: 'low' }, budget, 4_000).request.reasoning).to.deep.equal({ budget: 1_024 });
      expect(bend({ budget: 200 }, budget, 4_000).request.reasoning).to.deep.equal({ budget: 1_024 });
    });

    it('switches thinking off if the cap has no room for it', () => {
      const { request, losses } = bend({ effort: 'high' }, budget, 500);
      expect(request.reasoning).to.deep.equal({ budget: 0 });
      expect(namesOf(losses)).to.deep.equal(['reasoning_effort dropped']);
      expect(bend({ effort: 'high' }, budget, 1_024).request.reasoning).to.deep.equal({ budget: 0 });
    });

    it('lowers a budget that would use up the cap, and keeps one that fits', () => {
      expect(bend({ budget: 9_000 }, budget, 4_000).request.reasoning).to.deep.equal({ budget: 3_800 });
      expect(bend({ budget: 2_000 }, budget, 4_000).fitted).to.equal(undefined);
    });

    it('sends only the budget if effort and budget are given, and reports it', () => {
      const { request, losses } = bend({ effort: 'high', budget: 2_000 }, budget, 8_000);
      expect(request.reasoning).to.deep.equal({ budget: 2_000 });
      expect(namesOf(losses)).to.deep.equal(['reasoning_effort approximated']);
    });

    it('switches thinking off by a budget of 0, or sends the minimum if it cannot be switched off', () => {
      expect(bend({ effort: 'none' }, budget, 8_000).request.reasoning).to.deep.equal({ budget: 0 });
      const stuck = bend({ budget: 0 }, { ...budget, thinkingOff: false }, 8_000);
      expect(stuck.request.reasoning).to.deep.equal({ budget: 1_024 });
      expect(namesOf(stuck.losses)).to.deep.equal(['reasoning.max_tokens approximated']);
    });

    it('respects the minimum and maximum thinking budget of the model', () => {
      const known: Capabilities = { ...budget, minBudget: 128, maxBudget: 32_768 };
      expect(bend({ budget: 50 }, known, 4_000, 'generate-content').request.reasoning).to.deep.equal({ budget: 128 });
      expect(bend({ effort: 'low' }, known, 2_000).request.reasoning).to.deep.equal({ budget: 200 });
      expect(bend({ budget: 50_000 }, known, undefined, 'generate-content').request.reasoning).to.deep.equal({
        budget: 32_768,
      });
      expect(bend({ budget: 0 }, { ...known, thinkingOff: false }).request.reasoning).to.deep.equal({ budget: 128 });
      expect(bend({ budget: 5_000 }, { ...budget, maxBudget: 512 }, 8_000).request.reasoning).to.deep.equal({
        budget: 512,
      });
    });

    it('switches thinking off if the cap has no room for the model’s minimum', () => {
      expect(bend({ effort: 'high' }, { ...budget, minBudget: 4_096 }, 4_000).request.reasoning).to.deep.equal({
        budget: 0,
      });
      expect(bend({ effort: 'minimal' }, { ...budget, minBudget: 0 }, 40).request.reasoning).to.deep.equal({
        budget: 1,
      });
    });

    it('respects the maximum thinking budget of generate-content', () => {
      expect(
        bend({ effort: 'high' }, { ...budget, maxOutput: 65_536 }, undefined, 'generate-content').request.reasoning,
      ).to.deep.equal({ budget: 24_576 });
    });
  });

  describe('for a model that takes an effort', () => {
    const efforts: Capabilities = { efforts: ['low', 'medium', 'high'] };
    const budgets: readonly (readonly [number, string])[] = [
      [1_500, 'low'],
      [3_000, 'low'],
      [9_000, 'medium'],
      [15_000, 'high'],
      [18_000, 'high'],
    ];
    for (const [budget, effort] of budgets) {
      it(`converts a budget of ${budget} of 20,000 tokens to ${effort}`, () => {
        const { request, losses } = bend({ budget }, efforts, 20_000, 'chat-completions');
        expect(request.reasoning).to.deep.equal({ effort });
        expect(namesOf(losses)).to.deep.equal(['reasoning.max_tokens approximated']);
      });
    }

    it('converts a small budget to a low effort, however large its share', () => {
      expect(bend({ budget: 2_000 }, efforts, 2_500).request.reasoning).to.deep.equal({ effort: 'low' });
    });

    it('uses the nearest weaker effort, otherwise the weakest', () => {
      expect(bend({ effort: 'max' }, { efforts: ['low', 'high', 'xhigh'] }).request.reasoning).to.deep.equal({
        effort: 'xhigh',
      });
      expect(bend({ effort: 'xhigh' }, { efforts: ['low', 'high', 'max'] }).request.reasoning).to.deep.equal({
        effort: 'high',
      });
      const weakest = bend({ effort: 'minimal' }, { efforts: ['none', 'low', 'high'] });
      expect(weakest.request.reasoning).to.deep.equal({ effort: 'low' });
      expect(namesOf(weakest.losses)).to.deep.equal(['reasoning_effort approximated']);
    });

    it('keeps an effort that the target supports', () => {
      expect(bend({ effort: 'high', show: false }, efforts).fitted).to.equal(undefined);
    });

    it('switches reasoning off if possible, otherwise sends the weakest effort', () => {
      expect(bend({ budget: 0 }, { efforts: ['none', 'low'] }).request.reasoning).to.deep.equal({ effort: 'none' });
      expect(bend({ budget: 0 }, { thinking: 'adaptive', efforts: ['low', 'high'] }).request.reasoning).to.deep.equal({
        effort: 'none',
      });
      const least = bend({ effort: 'none' }, efforts);
      expect(least.request.reasoning).to.deep.equal({ effort: 'low' });
      expect(namesOf(least.losses)).to.deep.equal(['reasoning_effort approximated']);
      expect(
        bend({ effort: 'none' }, { thinking: 'adaptive', thinkingOff: false, efforts: ['low', 'high'] }).request
          .reasoning,
      ).to.deep.equal({ effort: 'low' });
    });

    it('sends an effort on wires without budgets, whatever the model supports', () => {
      expect(bend({ budget: 9_000 }, {}, 20_000, 'responses').request.reasoning).to.deep.equal({ effort: 'medium' });
      expect(
        bend({ budget: 9_000 }, { thinking: 'budget' }, 20_000, 'chat-completions').request.reasoning,
      ).to.deep.equal({ effort: 'medium' });
    });
  });

  it('removes the reasoning setting for a model that does not think on request, and reports it', () => {
    for (const capabilities of [{ efforts: [] }, { thinking: 'none' }] satisfies Capabilities[]) {
      const { request, losses } = bend({ effort: 'high' }, capabilities);
      expect(request.reasoning).to.equal(undefined);
      expect(namesOf(losses)).to.deep.equal(['reasoning_effort dropped']);
      expect(bend({ effort: 'none' }, capabilities).losses).to.deep.equal([]);
    }
  });

  it('keeps one of effort and budget unchanged if nothing is known and the wire has both', () => {
    expect(bend({ effort: 'high' }, {}).fitted).to.equal(undefined);
    expect(bend({ budget: 5_000 }, {}).fitted).to.equal(undefined);
    expect(bend({ effort: 'high', budget: 5_000 }, {}).request.reasoning).to.deep.equal({ budget: 5_000 });
  });

  it('leaves effort and budget to the vendor of the client’s wire, as the native lane does', () => {
    for (const reasoning of [{ effort: 'xhigh' }, { budget: 900_000 }, { effort: 'none', budget: 0 }])
      expect(
        runFit(
          reasoningFit,
          createRequest({ reasoning, wire: 'messages' }),
          createProfile({ efforts: ['low'], thinking: 'budget', maxBudget: 2_000 }),
        ).fitted,
      ).to.equal(undefined);
  });

  it('changes nothing if only visible reasoning is requested', () => {
    expect(bend({ show: true }, { thinking: 'budget' }).fitted).to.equal(undefined);
  });
});
