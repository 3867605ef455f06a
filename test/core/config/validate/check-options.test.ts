import { expect } from 'chai';
import { checkOptions } from '../../../../core/config/validate/check-options.ts';
import type { Finding } from '../../../../core/config/problem.ts';
import type { OptionFinding } from '../../../../core/contracts/extension.ts';

const config = ['plugins', 0, 'config'] as const;

/**
 * The findings of a plugin with this check about `{ name: 'value', list: ['secret'] }`, where `secret` comes from a
 * variable.
 */
const runCheck = (check: () => readonly OptionFinding[], violations: readonly Finding[] = []): readonly Finding[] => {
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

describe('the check of an extension', () => {
  it('reports the findings of checkOptions at the path of the setting', () => {
    expect(runCheck(() => [{ path: ['name'], message: '"value" is no name.' }])).to.deep.equal([
      { path: [...config, 'name'], rule: 'refused-setting', message: '"value" is no name.' },
    ]);
    expect(runCheck(() => [{ path: [], message: 'Hm.', severity: 'advice' }])).to.deep.equal([
      { path: config, rule: 'refused-setting', message: 'Hm.', severity: 'advice' },
    ]);
  });

  it('does not run checkOptions on settings that violate their schema', () => {
    const violation: Finding = { path: [...config, 'name'], rule: 'wrong-type', message: '' };
    expect(runCheck(() => [{ path: ['name'], message: 'Hm.' }], [violation])).to.deep.equal([]);
    expect(
      runCheck(() => [{ path: ['name'], message: 'Hm.' }], [{ ...violation, path: ['plugins', 1, 'config'] }]),
    ).to.have.length(1);
  });

  it('reports a checkOptions that throws as a finding', () => {
    const failing = (): never => {
      throw new Error('no such thing');
    };
    expect(runCheck(failing)).to.deep.equal([
      { path: config, rule: 'refused-setting', message: 'The check of the extension failed: no such thing' },
    ]);
  });

  it('passes the models and timeouts of the file to checkOptions', () => {
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
    expect(seen).to.deep.equal([
      { models: ['a/b'], targets: { 'a/b': [] }, timeouts: { 'a/b': { targets: 0, firstByteMs: 0 } } },
    ]);
  });

  it('replaces a checkOptions message that quotes the value of a variable', () => {
    expect(
      runCheck(() => [{ path: ['list', 0], message: '"secret" is wrong.' }]).map(({ message }) => message),
    ).to.deep.equal(['plugins[0].config.list[0] is not accepted by the extension.']);
    expect(
      runCheck(() => [{ path: ['list', 0], message: 'It is too short.' }]).map(({ message }) => message),
    ).to.deep.equal(['It is too short.']);
  });
});
