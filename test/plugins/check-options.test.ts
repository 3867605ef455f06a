import { expect } from 'chai';
import type { definePlugin, OptionFinding } from '../../core/api/index.ts';
import { compileSchema } from '../../core/config/validate/validate.ts';
import auth from '../../plugins/auth/index.ts';
import failover from '../../plugins/failover/index.ts';
import rateLimit from '../../plugins/rate-limit/index.ts';

type Checked = Pick<ReturnType<typeof definePlugin<never>>, 'schema' | 'check'>;

/** As the loader asks: with defaults filled in, once the schema is content. */
const check = (plugin: Checked, options: object): readonly OptionFinding[] => {
  const filled: unknown = structuredClone(options);
  const validate = compileSchema<never>(plugin.schema);
  if (!validate(filled)) throw new Error(JSON.stringify(validate.errors));
  return plugin.check?.(filled, { models: ['openai/small', 'google/large'] }) ?? [];
};
const pathsOf = (plugin: Checked, options: object): readonly string[] =>
  check(plugin, options).map(({ path, severity = 'error' }) => `${severity} ${path.join('.')}`);

describe('the settings of built-in plugins', () => {
  it('built-in plugins accept their shipped settings', () => {
    for (const plugin of [auth, failover, rateLimit]) expect(check(plugin, {})).to.deep.equal([]);
  });

  it('rate-limit requires a lease within its bounds, and a time zone that exists', () => {
    expect(pathsOf(rateLimit, { lease: '61m', timeZone: 'Europe/Atlantis' })).to.deep.equal([
      'error lease',
      'error timeZone',
    ]);
    expect(pathsOf(rateLimit, { lease: '1h', timeZone: 'Europe/Berlin' })).to.deep.equal([]);
    expect(pathsOf(rateLimit, { onStoreFailure: 'allow' })).to.deep.equal(['advice onStoreFailure']);
  });

  it('auth requires windows within their bounds, and a service that can be called', () => {
    const options = { failures: { per: '2d', block: '10ms' }, remote: { url: 'http://', timeout: '2m' } };
    expect(pathsOf(auth, options)).to.deep.equal([
      'error failures.per',
      'error failures.block',
      'error remote.url',
      'error remote.timeout',
    ]);
    expect(
      pathsOf(auth, { failures: { per: '1d', block: '1s' }, remote: { url: 'https://keys.internal/check' } }),
    ).to.deep.equal([]);
    expect(pathsOf(auth, { failures: false })).to.deep.equal(['advice failures']);
  });

  it('failover requires lengths of time that a timer can wait for, and that go together', () => {
    expect(pathsOf(failover, { deadline: '25d', wait: '25d', backoff: { base: '1s', cap: '25d' } })).to.deep.equal([
      'error deadline',
      'error wait',
      'error backoff.cap',
    ]);
    expect(
      pathsOf(failover, { deadline: '0s', backoff: { base: '6s' }, circuit: { window: '0s', open: '6m' } }),
    ).to.deep.equal(['error deadline', 'error circuit.window', 'error backoff.base', 'error circuit.open']);
    expect(
      pathsOf(failover, { wait: '0s', backoff: { base: '0s', cap: '0s' }, circuit: { open: '5m' } }),
    ).to.deep.equal([]);
  });

  it('failover requires a deadline above the time that a target may be silent, where another follows it', () => {
    const find = (deadline: string, targets: number): readonly OptionFinding[] => {
      const filled: unknown = { deadline };
      if (!compileSchema<never>(failover.schema)(filled)) throw new Error('the options are not valid');
      const timeouts = { 'openai/small': { targets, firstByteMs: 60_000 } };
      return (
        failover.check?.(filled as Parameters<NonNullable<typeof failover.check>>[0], {
          models: ['openai/small'],
          timeouts,
        }) ?? []
      );
    };
    expect(find('60s', 2).map(({ path, severity }) => [path, severity])).to.deep.equal([[['deadline'], 'warning']]);
    expect(find('60s', 2)[0]?.message).to.include('"openai/small"').and.include('firstByte');
    expect([...find('61s', 2), ...find('60s', 1)]).to.deep.equal([]);
  });

  it('failover requires choices for models that are there', () => {
    const choice = { routing: 'weighted' };
    expect(pathsOf(failover, { models: { 'openai/small': choice, 'google/*': choice, '*': choice } })).to.deep.equal(
      [],
    );
    expect(pathsOf(failover, { models: { 'openai/smal': choice, 'anthropic/*': choice } })).to.deep.equal([
      'warning models.openai/smal',
      'warning models.anthropic/*',
    ]);
  });
});
