import { expect } from 'chai';
import { parse } from 'yaml';
import { writeCommented } from '../../../../core/config/write/write-commented.ts';

describe('writeCommented', () => {
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

  it('writes each comment above its setting, and comments without a setting at the top', () => {
    const text = writeCommented(settings, [
      { path: [], text: 'Of all.' },
      { path: ['models', 'a/b'], text: 'Of a model.' },
      { path: ['models', 'a/b'], text: 'And more.' },
      { path: ['plugins', 1], text: 'Of a plugin.' },
      { path: ['models', 'a/b', 'targets', 0, 'model'], text: 'Of a target.' },
      { path: ['limits', 7, 'per'], text: 'Of a setting that does not exist.' },
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

# Of a setting that does not exist.
limits:
  - { requests: 1, per: 1m }
`);
  });

  it('writes YAML that parses to the same settings', () =>
    expect(
      parse(writeCommented(settings, [{ path: ['plugins', 0, 'use'], text: '# -- { "x": ${y} }' }])),
    ).to.deep.equal(settings));

  it('wraps long comments in the written YAML', () => {
    const lines = writeCommented(settings, [{ path: ['models'], text: 'word '.repeat(100).trim() }])
      .split('\n')
      .filter((line) => line.startsWith('#'));
    expect(lines.length).to.be.greaterThan(3);
    expect(Math.max(...lines.map(({ length }) => length))).to.be.lessThan(125);
  });

  it('writes shared objects out twice, without anchors', () => {
    const shared = { a: 1 };
    expect(writeCommented({ one: { x: shared }, two: { x: shared } }, [])).not.to.match(/[&*]/);
  });
});
