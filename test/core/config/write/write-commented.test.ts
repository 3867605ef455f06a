import { expect } from 'chai';
import { parse } from 'yaml';
import { writeCommented } from '../../../../core/config/write/write-commented.ts';

describe('settings with comments', () => {
  const settings = {
    models: {
      'a/b': {
        targets: [
          { provider: 'a', model: 'b' },
          { provider: 'c', model: 'b' },
        ],
      },
    },
    plugins: [{ use: 'x' }, { use: 'y', config: { k: '${KEY:-}' } }],
    limits: [{ requests: 1, per: '1m' }],
  };

  it('have each above what it is about, and those about nothing at the head', () => {
    const text = writeCommented(settings, [
      { path: [], text: 'Of all.' },
      { path: ['models', 'a/b'], text: 'Of a model.' },
      { path: ['models', 'a/b'], text: 'And more.' },
      { path: ['plugins', 1], text: 'Of a plugin.' },
      { path: ['models', 'a/b', 'targets', 0, 'model'], text: 'Of a target.' },
      { path: ['limits', 7, 'per'], text: 'Of what is not there.' },
    ]);
    expect(text).to.equal(`# Of all.

models:
  # Of a model.
  # And more.
  a/b:
    targets:
      - provider: a
        # Of a target.
        model: b
      - { provider: c, model: b }

plugins:
  - use: x
  # Of a plugin.
  - use: y
    config: { k: "\${KEY:-}" }

# Of what is not there.
limits:
  - { requests: 1, per: 1m }
`);
  });

  it('are the same settings when they are read', () =>
    expect(
      parse(writeCommented(settings, [{ path: ['plugins', 0, 'use'], text: '# -- { "x": ${y} }' }])),
    ).to.deep.equal(settings));

  it('have long ones on several lines', () => {
    const lines = writeCommented(settings, [{ path: ['models'], text: 'word '.repeat(100).trim() }])
      .split('\n')
      .filter((line) => line.startsWith('#'));
    expect(lines.length).to.be.greaterThan(3);
    expect(Math.max(...lines.map(({ length }) => length))).to.be.lessThan(125);
  });

  it('repeat what stands in them twice, without anchors', () => {
    const shared = { a: 1 };
    expect(writeCommented({ one: { x: shared }, two: { x: shared } }, [])).not.to.match(/[&*]/);
  });
});
