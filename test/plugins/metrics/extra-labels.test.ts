import { expect } from 'chai';
import { createExtraLabels } from '../../../plugins/metrics/extra-labels.ts';

const callerOf = (project: string, organization = 'acme') => ({ key: 'alice', project, organization, models: [] });

describe('metrics: further labels', () => {
  it('are none where none were asked for', () => {
    const { names, of } = createExtraLabels({ labels: [], maxValues: 50 });
    expect([names, of(callerOf('web')), of(undefined)]).to.deep.equal([[], [], []]);
  });

  it('are those of the caller, in their order, and other where nobody knows who calls', () => {
    const { names, of } = createExtraLabels({ labels: ['organization', 'project'], maxValues: 50 });
    expect([names, of(callerOf('web')), of(undefined)]).to.deep.equal([
      ['organization', 'project'],
      ['acme', 'web'],
      ['other', 'other'],
    ]);
  });

  it('have so many values each; further ones are other, and those that are known stay', () => {
    const { of } = createExtraLabels({ labels: ['project', 'organization'], maxValues: 2 });
    const values = ['a', 'b', 'c', 'a'].map((project) => of(callerOf(project)));
    expect(values).to.deep.equal([
      ['a', 'acme'],
      ['b', 'acme'],
      ['other', 'acme'],
      ['a', 'acme'],
    ]);
    expect(values[0], 'the same array: what is bound is found by it').to.equal(values[3]);
  });
});
