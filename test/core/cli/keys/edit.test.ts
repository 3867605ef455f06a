import { expect } from 'chai';
import type { Gateway } from '../../../../core/gateway.ts';
import type { ListedKey } from '../../../../core/tenancy/listed-key.ts';
import { becomes } from '../../../support/admin.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

describe('koine keys edit', () => {
  let folder: ServedFolder;
  let gateway: Gateway;
  before(async () => {
    folder = createServedFolder();
    gateway = await folder.serve();
  });
  after(async () => {
    gateway?.cut();
    await gateway?.stop();
    folder.remove();
  });

  const owner = ['--organization', 'acme', '--project', 'web'];
  /** @returns the secret */
  const create = async (name: string, ...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await folder.run('keys', 'create', '--name', name, ...owner, ...args);
    expect(code, err).to.equal(0);
    return out.trimEnd();
  };
  const idOf = (secret: string): string => secret.slice(6, 14);
  const edit = async (...args: readonly string[]): Promise<string> => {
    const { code, err } = await folder.run('keys', 'edit', ...args);
    expect(code, err).to.equal(0);
    return err;
  };
  const refuse = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await folder.run('keys', 'edit', ...args);
    expect(code).to.be.oneOf([1, 2]);
    expect(out).to.equal('');
    return `${code} ${err}`;
  };
  const look = async (name: string): Promise<ListedKey> => {
    const keys = JSON.parse((await folder.run('keys', 'list', '--format', 'json')).out) as ListedKey[];
    return keys.find((key) => key.name === name)!;
  };

  it('changes a key by its name, and a running gateway applies it', async () => {
    const secret = await create('bob', '--expires', '2999-01-31', '--losses', 'warn');
    const before = await look('bob');
    await edit(
      'bob',
      '--models',
      'simulator/other',
      '--tags',
      'team=a,env=b',
      '--metadata',
      'owner=Ann',
      '--remove',
      'expires',
    );
    const { expiresAt: _expiresAt, ...rest } = before;
    expect(await look('bob')).to.deep.equal({
      ...rest,
      models: ['simulator/other'],
      tags: { team: 'a', env: 'b' },
      metadata: { owner: 'Ann' },
    });
    await becomes({ url: gateway.data.url }, secret, 404);
    await edit('--prefix', secret.slice(0, 14), '--remove', 'models,tags,metadata,losses', '--name', 'bert');
    expect(await look('bert'))
      .to.include({ id: before.id })
      .and.not.have.any.keys('tags', 'metadata', 'losses');
    await becomes({ url: gateway.data.url }, secret, 200);
  });

  it('disables and enables a key', async () => {
    const secret = await create('carol');
    await edit('carol', '--disable');
    expect((await folder.run('keys', 'list')).out).to.match(/ carol .* disabled /);
    await becomes({ url: gateway.data.url }, secret, 401);
    await edit('--id', idOf(secret), '--enable');
    await becomes({ url: gateway.data.url }, secret, 200);
  });

  it('sets one limit by its unit and window, and keeps the others', async () => {
    await create('dora', '--limit', 'requests=60/60m', '--limit', 'cost=25/month');
    await edit('dora', '--limit', 'requests=90/1h', '--limit', 'concurrent=8');
    expect((await look('dora')).limits).to.deep.equal([
      { requests: 90, per: '1h' },
      { cost: 25, per: 'month' },
      { concurrent: 8 },
    ]);
    await edit('dora', '--remove-limit', 'requests', '--remove-limit', 'cost/month');
    expect((await look('dora')).limits).to.deep.equal([{ concurrent: 8 }]);
    await edit('dora', '--remove-limit', 'concurrent');
    expect(await look('dora')).to.not.have.property('limits');
    expect(await edit('dora', '--limit', 'cost=5/day')).to.include(
      'warning: The key has limits of its own now; those that it inherited do not apply.',
    );
    await edit('dora', '--remove', 'limits');
    expect(await look('dora')).to.not.have.property('limits');
  });

  it('prints the changed key', async () => {
    const secret = await create('emil');
    const { out, err } = await folder.run('keys', 'edit', 'emil', '--limit', 'cost=50/month');
    expect(err).to.include(`Changed the key ${idOf(secret)}.`);
    expect(out).to.match(/^ID +NAME .*\n\w{8} +emil +acme\/web +- +all +cost=50\/month +active /);
  });

  it('finds the valid one of a rotated key, and asks which one is meant of several', async () => {
    const old = await create('fay');
    const { out } = await folder.run('keys', 'rotate', '--id', idOf(old));
    await edit('fay', '--disable');
    expect((await folder.run('keys', 'list')).out).to.match(new RegExp(`${idOf(out)} +fay .* disabled `));
    await folder.run('keys', 'create', '--name', 'fay', '--organization', 'other', '--allow-unknown-project');
    expect(await refuse('fay', '--enable')).to.match(/^2 2 keys are called "fay": .* of other\/default/);
    await edit('fay', '--organization', 'acme', '--enable');
  });

  it('refuses what it cannot change, and says why', async () => {
    await create('gus', '--limit', 'cost=25/month');
    expect(await refuse('alice', '--disable')).to.match(
      /^1 conflict: .*organizations\.acme\.projects\.web\.keys\.alice/,
    );
    expect(await refuse('gusta', '--disable')).to.match(/^1 not_found: .*Did you mean "gus"\?/);
    expect(await refuse('--disable')).to.match(/^2 Give the name of a key/);
    expect(await refuse('gus', '--id', 'x', '--disable')).to.match(/^2 Give the name of a key/);
    expect(await refuse('gus')).to.match(/^2 Give what to change/);
    expect(await refuse('gus', '--disable', '--enable')).to.match(/^2 Give either --disable or --enable/);
    expect(await refuse('gus', '--remove', 'limit')).to.match(/^2 --remove must name .*Did you mean "limits"\?/);
    expect(await refuse('gus', '--remove', 'tags', '--tags', 'a=b')).to.match(/^2 --remove names tags/);
    expect(await refuse('gus', '--remove', 'limits', '--limit', 'cost=1/day')).to.match(
      /^2 --remove limits removes all/,
    );
    expect(await refuse('gus', '--remove-limit', 'cost/day')).to.match(
      /^2 .* no limit cost\/day .*It has cost=25\/month/,
    );
    expect(await refuse('gus', '--limit', 'costs=1/day')).to.match(/^2 .*Did you mean "cost"\?/);
    expect(await refuse('gus', '--expires', '1999-01-31')).to.match(/^2 .*must be in the future/);
  });
});
