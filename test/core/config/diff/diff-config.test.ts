import { expect } from 'chai';
import { diffConfigs } from '../../../../core/config/diff/diff-config.ts';

const plugin = (use: string, config: object = {}) => ({ use, config });

describe('diffConfigs', () => {
  it('returns no changes for equal configurations', () =>
    expect(
      diffConfigs({ server: { port: 1 }, plugins: [plugin('a')] }, { server: { port: 1 }, plugins: [plugin('a')] }),
    ).to.deep.equal([]));

  it('reports added, removed and changed settings', () => {
    const before = {
      providers: { old: { use: 'x' }, same: { use: 'x', timeouts: { total: '1m' } } },
      server: { port: 1 },
    };
    const after = {
      providers: { same: { use: 'x', timeouts: { total: '2m' } }, new: { use: 'y' } },
      server: { port: 1, tls: { cert: 'a' } },
    };
    expect(diffConfigs(before, after)).to.deep.equal([
      { path: ['providers', 'old'], before: { use: 'x' }, reload: 'live' },
      { path: ['providers', 'same', 'timeouts', 'total'], before: '1m', after: '2m', reload: 'live' },
      { path: ['providers', 'new'], after: { use: 'y' }, reload: 'live' },
      { path: ['server', 'tls'], after: { cert: 'a' }, reload: 'restart' },
    ]);
  });

  it('matches plugins by their use, not by their index', () => {
    const changes = diffConfigs(
      { plugins: [plugin('a'), plugin('b', { retries: 1 })] },
      { plugins: [plugin('new'), plugin('a'), plugin('b', { retries: 2 })] },
    );
    expect(changes.map(({ path }) => path.join('.'))).to.deep.equal(['plugins.b.config.retries', 'plugins.new']);
  });

  it('reports a changed order of plugins', () => {
    expect(diffConfigs({ plugins: [plugin('a'), plugin('b')] }, { plugins: [plugin('b'), plugin('a')] })).to.deep.equal(
      [{ path: ['plugins'], before: ['a', 'b'], after: ['b', 'a'], reload: 'live' }],
    );
  });

  it('matches routes by path and method', () => {
    const routes = [
      { path: '/v1/models', operation: 'models' },
      { path: '/v1/messages', wire: 'messages' },
    ];
    expect(diffConfigs({ routes }, { routes: routes.toReversed() })).to.deep.equal([]);
    expect(
      diffConfigs(
        { routes },
        { routes: [routes[0], { path: '/v1/messages', wire: 'messages', losses: 'reject' }] },
      ).map(({ path }) => path),
    ).to.deep.equal([['routes', '/v1/messages', 'losses']]);
  });

  it('distinguishes a GET route from a POST route of the same path', () => {
    const routes = [
      { path: '/v1/x', operation: 'models' },
      { path: '/v1/x', wire: 'messages' },
    ];
    expect(diffConfigs({ routes }, { routes: routes.slice(1) })).to.deep.equal([
      { path: ['routes', '/v1/x GET'], before: routes[0], reload: 'live' },
    ]);
  });

  it('reports settings that are named like members of Object.prototype', () => {
    expect(diffConfigs({ aliases: {} }, { aliases: { constructor: 'a/b' } })).to.deep.equal([
      { path: ['aliases', 'constructor'], after: 'a/b', reload: 'live' },
    ]);
  });
});
