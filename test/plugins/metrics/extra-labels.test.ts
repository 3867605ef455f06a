import { expect } from 'chai';
import { createExtraLabels } from '../../../plugins/metrics/extra-labels.ts';

const callerOf = (project: string, organization = 'acme') => ({ key: 'alice', project, organization, models: [] });

describe('createExtraLabels', () => {
  it('returns no labels when none are configured', () => {
    const { names, of } = createExtraLabels({ labels: [], maxValues: 50 });
    expect([names, of(callerOf('web')), of(undefined)]).to.deep.equal([[], [], []]);
  });

  it('returns the values of the caller in the configured order, and other for an unknown caller', () => {
    const { names, of } = createExtraLabels({ labels: ['organization', 'project'], maxValues: 50 });
    expect([names, of(callerOf('web')), of(undefined)]).to.deep.equal([
      ['organization', 'project'],
      ['acme', 'web'],
      ['other', 'other'],
    ]);
  });

  it('caps the values of each label: known values stay, further ones become other', () => {
    const { of } = createExtraLabels({ labels: ['project', 'organization'], maxValues: 2 });
    const values = ['a', 'b', 'c', 'a'].map((project) => of(callerOf(project)));
    expect(values).to.deep.equal([
      ['a', 'acme'],
      ['b', 'acme'],
      ['other', 'acme'],
      ['a', 'acme'],
    ]);
    expect(values[0], 'the same array, which is the key of bound metrics').to.equal(values[3]);
  });
});
