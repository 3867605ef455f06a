import { expect } from 'chai';
import { checkOptions } from '../../../../core/config/validate/check-options.ts';
import type { Finding } from '../../../../core/config/problem.ts';
import type { OptionFinding } from '../../../../core/contracts/option-finding.ts';

const config = ['plugins', 0, 'config'] as const;

/** What becomes of what a plugin says of `{ name: 'value', list: ['secret'] }`, of which `secret` came out of a variable. */
const ask = (check: () => readonly OptionFinding[], violations: readonly Finding[] = []): readonly Finding[] => {
  const definition = { kind: 'plugin', apiVersion: 1, name: 'own', schema: {}, create: () => ({}), check } as const;
  const plugins = [
    { path: ['plugins', 0, 'use'], extension: { kind: 'plugin', use: 'own', source: 'built-in', definition } },
  ] as const;
  return checkOptions(
    { providers: {}, plugins },
    {
      data: { plugins: [{ use: 'own', config: { name: 'value', list: ['secret'] } }] },
      violations,
      isShown: (path) => path.at(-2) !== 'list',
    },
  );
};

describe('what an extension says of its settings', () => {
  it('is a finding at their place', () => {
    expect(ask(() => [{ path: ['name'], message: '"value" is no name.' }])).to.deep.equal([
      { path: [...config, 'name'], rule: 'refused-setting', message: '"value" is no name.' },
    ]);
    expect(ask(() => [{ path: [], message: 'Hm.', severity: 'advice' }])).to.deep.equal([
      { path: config, rule: 'refused-setting', message: 'Hm.', severity: 'advice' },
    ]);
  });

  it('is not asked for where their schema refuses them: it would be given what it does not expect', () => {
    const violation: Finding = { path: [...config, 'name'], rule: 'wrong-type', message: '' };
    expect(ask(() => [{ path: ['name'], message: 'Hm.' }], [violation])).to.deep.equal([]);
    expect(
      ask(() => [{ path: ['name'], message: 'Hm.' }], [{ ...violation, path: ['plugins', 1, 'config'] }]),
    ).to.have.length(1);
  });

  it('is a finding as well where its check fails', () => {
    const failing = (): never => {
      throw new Error('no such thing');
    };
    expect(ask(failing)).to.deep.equal([
      { path: config, rule: 'refused-setting', message: 'Its check failed: no such thing' },
    ]);
  });

  it('may depend on the models of the file', () => {
    const seen: unknown[] = [];
    const definition = {
      kind: 'plugin',
      apiVersion: 1,
      name: 'own',
      schema: {},
      create: () => ({}),
      check: (_: unknown, catalog: unknown) => (seen.push(catalog), []),
    } as const;
    const plugins = [
      { path: ['plugins', 0, 'use'], extension: { kind: 'plugin', use: 'own', source: 'built-in', definition } },
    ] as const;
    checkOptions(
      { providers: {}, plugins },
      { data: { models: { 'a/b': {} }, plugins: [{ use: 'own', config: {} }] }, violations: [], isShown: () => true },
    );
    expect(seen).to.deep.equal([{ models: ['a/b'], timeouts: { 'a/b': { targets: 0, firstByteMs: 0 } } }]);
  });

  it('never repeats what came out of a variable', () => {
    expect(
      ask(() => [{ path: ['list', 0], message: '"secret" is wrong.' }]).map(({ message }) => message),
    ).to.deep.equal(['plugins[0].config.list[0] cannot be used as it is.']);
    expect(ask(() => [{ path: ['list', 0], message: 'It is too short.' }]).map(({ message }) => message)).to.deep.equal(
      ['It is too short.'],
    );
  });
});
