import { expect } from 'chai';
import { hash } from 'node:crypto';
import type { Gateway } from '../../../../core/gateway.ts';
import { MisuseError } from '../../../../core/cli/command.ts';
import { keys } from '../../../../core/cli/keys/keys.ts';
import type { ListedKey } from '../../../../core/tenancy/listed-key.ts';
import { becomes, statusWith } from '../../../support/admin.ts';
import { builtIns } from '../../../support/gateway.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';
import { runKoine } from '../run-koine.ts';

describe('koine keys', () => {
  let folder: ServedFolder;
  let gateway: Gateway;
  const secrets: string[] = [];
  before(async () => {
    folder = createServedFolder();
    gateway = await folder.serve();
  });
  after(async () => {
    gateway.cut();
    await gateway.stop();
    folder.remove();
  });

  const create = async (...args: readonly string[]): Promise<{ readonly secret: string; readonly err: string }> => {
    const { code, out, err } = await folder.run(
      'keys',
      'create',
      '--organization',
      'acme',
      '--project',
      'web',
      ...args,
    );
    expect(code, err).to.equal(0);
    const secret = out.trimEnd();
    secrets.push(secret);
    return { secret, err };
  };
  const list = async (...args: readonly string[]): Promise<readonly ListedKey[]> =>
    JSON.parse((await folder.run('keys', 'list', '--format', 'json', ...args)).out) as ListedKey[];
  const prefixOf = (secret: string): string => secret.slice(0, 14);

  it('creates a key that a running gateway accepts, and prints only its secret to standard output', async () => {
    const { secret, err } = await create(
      '--name',
      'bob',
      '--models',
      'simulator/*',
      '--limit',
      'requests=60/1m',
      '--limit',
      'concurrent=8',
      '--expires',
      '2999-01-31',
      '--losses',
      'reject',
      '--vendor-state',
      'allow',
      '--cost-headers',
      'on',
      '--hosted-tools',
      'drop',
      '--tags',
      'team=search,env=prod',
      '--metadata',
      'contact=Ann, of search',
      '--metadata',
      `note=${'long '.repeat(20)}end`,
      '--owner',
      'bob@acme.example',
    );
    expect(secret).to.match(/^koine_\w{8}_\w{49}$/);
    expect(err).to.include('bob of acme/web').and.not.include(secret.slice(15));
    await becomes({ url: gateway.data.url }, secret, 200);
  });

  it('lists all keys as text, including those of the configuration', async () => {
    const { code, out } = await folder.runProgram('keys', 'list');
    expect(code).to.equal(0);
    const [head, ...rows] = out.trimEnd().split('\n');
    expect(head).to.match(/^ID +NAME +PROJECT +OWNER +MODELS +LIMITS +STATE +EXPIRES +ORIGIN +TAGS +METADATA$/);
    expect(rows[0]).to.match(
      /^acme\/web\/alice +alice +acme\/web +- +all +requests=60\/1m +active +never +configuration +- +-$/,
    );
    expect(rows[1]).to.match(/^acme\/web\/narrow .* inherited /);
    expect(rows[2]).to.match(
      / bob +acme\/web +bob@acme\.example +simulator\/\* +requests=60\/1m concurrent=8 +active +2999-01-31T00:00:00\.000Z +database +team=search env=prod +contact=Ann, of search note=(long ){7}long…$/,
    );
  });

  it('creates a key in a project of the database', async () => {
    const response = await fetch(`${gateway.admin.url}/admin/tenants`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ organization: 'acme', project: 'mobile', limits: [{ requests: 5, per: '1m' }] }),
    });
    expect(response.status, await response.text()).to.equal(201);
    const made = await folder.run('keys', 'create', '--organization', 'acme', '--project', 'mobile', '--name', 'phone');
    expect(made.code, made.err).to.equal(0);
    expect(made.err).not.to.include('warning');
    const revoked = await folder.run('keys', 'revoke', '--prefix', prefixOf(made.out));
    expect(revoked.code, revoked.err).to.equal(0);
  });

  it('revokes a key, which a running gateway then refuses', async () => {
    const { secret } = await create('--name', 'carol');
    await becomes({ url: gateway.data.url }, secret, 200);
    const { code, out, err } = await folder.run('keys', 'revoke', '--prefix', prefixOf(secret));
    expect({ code, out }).to.deep.equal({ code: 0, out: '' });
    expect(err).to.match(/^Revoked the key \w{8} \(carol of acme\/web\)/);
    await becomes({ url: gateway.data.url }, secret, 401);
  });

  it('rotates a key, and both keys work during the overlap', async () => {
    const { secret } = await create('--name', 'dora');
    const rotated = await folder.run('keys', 'rotate', '--id', prefixOf(secret).slice(6), '--overlap', '1h');
    expect(rotated.code, rotated.err).to.equal(0);
    const fresh = rotated.out.trimEnd();
    secrets.push(fresh);
    expect(rotated.err).to.match(/It replaces \w{8}, which expires at /);
    expect(await statusWith({ url: gateway.data.url }, fresh)).to.equal(200);
    expect(await statusWith({ url: gateway.data.url }, secret)).to.equal(200);
  });

  it('lists keys as JSON like the admin API, filtered by project if given', async () => {
    expect((await list('--project', 'web')).find(({ name }) => name === 'bob')).to.deep.include({
      models: ['simulator/*'],
      limits: [{ requests: 60, per: '1m' }, { concurrent: 8 }],
      losses: 'reject',
      vendorState: 'allow',
      costHeaders: 'on',
      hostedTools: 'drop',
      tags: { team: 'search', env: 'prod' },
      metadata: { contact: 'Ann, of search', note: `${'long '.repeat(20)}end` },
      owner: 'bob@acme.example',
      expiresAt: '2999-01-31T00:00:00.000Z',
      origin: 'database',
    });
  });

  it('stores no secret in the database, and lists none', async () => {
    expect(secrets).to.have.length(4);
    const kept = folder.readDatabase() + JSON.stringify(await list());
    for (const secret of secrets) {
      expect(kept).to.include(prefixOf(secret));
      for (let index = 15; index + 12 <= secret.length; index += 1)
        expect(kept, `a part of a secret, at ${index}`).to.not.include(secret.slice(index, index + 12));
    }
  });

  it('exits with 1 for a key of the configuration file', async () => {
    const conflict = await folder.run(
      'keys',
      'create',
      '--name',
      'alice',
      '--organization',
      'acme',
      '--project',
      'web',
    );
    expect([conflict.code, conflict.out]).to.deep.equal([1, '']);
    expect(conflict.err).to.include('conflict: The key alice of acme/web is defined in the configuration');
  });

  it('prints the digest of a secret for gateway.yaml', async () => {
    const { code, out } = await runKoine(['keys', 'hash'], { input: 'a secret of mine\n' });
    expect({ code, out }).to.deep.equal({ code: 0, out: `${hash('sha256', 'a secret of mine')}\n` });
  });

  const misuses: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[], /needs one of create, list, edit, revoke, rotate, import, hash/],
    [['creat'], /Did you mean "create"\?/],
    [['constructor'], /needs one of/],
    [['create'], /--name/],
    [['create', '--name', 'a/b'], /must look like/],
    [['create', '--name', 'bob', '--limit', 'requests'], /--limit must look like requests=60\/1m/],
    [['create', '--name', 'bob', '--limit', 'request=60/1m'], /Did you mean "requests"\?/],
    [['create', '--name', 'bob', '--limit', 'requests=60'], /needs "per"/],
    [['create', '--name', 'bob', '--losses', 'never'], /must be allow, warn or reject/],
    [['create', '--name', 'bob', '--vendor-state', 'warn'], /must be allow, owned or refuse/],
    [['create', '--name', 'bob', '--hosted-tools', 'yes'], /must be web_search, .*, not "yes"/],
    [['create', '--name', 'bob', '--hosted-tools', 'drop,refuse'], /drop or refuse/],
    [['create', '--name', 'bob', '--cost-headers', 'yes'], /must be off or on/],
    [['create', '--name', 'bob', '--models', 'a,,b'], /must not be empty/],
    [['create', '--name', 'bob', '--tags', 'team'], /--tags must look like NAME=VALUE, not "team"/],
    [['create', '--name', 'bob', '--tags', 'team=a;b,1x=c'], /not a valid name/],
    [['create', '--name', 'bob', '--metadata', 'owner'], /--metadata must look like/],
    [['create', '--name', 'bob', '--expires', 'soon'], /must look like/],
    [['create', 'bob'], /Unexpected argument/],
    [['list', '--format', 'xml'], /text or json/],
    [['revoke'], /--id or --prefix/],
    [['revoke', '--id', 'a', '--prefix', 'b'], /--id or --prefix/],
    [['rotate', '--id', 'a', '--overlap', 'long'], /--overlap must look like/],
  ];
  for (const [args, message] of misuses)
    it(`koine exits with 2 on "keys ${args.join(' ')}"`, async () => {
      const thrown: unknown = await Promise.try(() => keys(args, builtIns)).catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(MisuseError).with.property('message').that.matches(message);
    });

  it('refuses a mistyped project, unless it is allowed', async () => {
    const mistyped = ['create', '--name', 'zoe', '--organization', 'acmee', '--project', 'webb'];
    const { code, out, err } = await folder.run('keys', ...mistyped);
    expect([code, out]).to.deep.equal([2, '']);
    expect(err).to.match(/no project acmee\/webb, .* Did you mean "acme\/web"\? .* give --allow-unknown-project\./);
    const allowed = await folder.run('keys', ...mistyped, '--allow-unknown-project', '--models', 'opnai/*');
    expect(allowed.code).to.equal(0);
    expect(allowed.err).to.include('warning: No model of the configuration matches "opnai/*".');
    expect(allowed.err).to.include('warning: The organization acmee is not in the configuration');
    const { id } = (
      JSON.parse((await folder.run('keys', 'list', '--find', 'zoe', '--format', 'json')).out) as ListedKey[]
    )[0]!;
    expect((await folder.run('keys', 'revoke', '--id', id)).code).to.equal(0);
  });
});
