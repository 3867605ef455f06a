import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../../../core/gateway.ts';
import type { ListedKey } from '../../../../core/tenancy/listed-key.ts';
import { becomes } from '../../../support/admin.ts';
import type { Run } from '../run-koine.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

const columns = 'name,organization,project,models,limits,expires,tags,metadata.owner,metadata.cost-center';

describe('koine keys import', () => {
  const files = mkdtempSync(join(tmpdir(), 'koine-tables-'));
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
    rmSync(files, { recursive: true });
  });

  let count = 0;
  const write = (...rows: readonly string[]): string => {
    const file = join(files, `${(count += 1)}.csv`);
    writeFileSync(file, rows.join('\r\n'));
    return file;
  };
  const list = async (): Promise<readonly ListedKey[]> =>
    JSON.parse((await folder.run('keys', 'list', '--format', 'json')).out) as ListedKey[];
  const importFile = (...args: readonly string[]): Promise<Run> => folder.run('keys', 'import', ...args);

  it('creates the keys of a table, and writes their secrets to a new file of this user only', async () => {
    const out = join(files, 'secrets.csv');
    const {
      code,
      out: printed,
      err,
    } = await importFile(
      write(
        `\uFEFF${columns}`,
        'ann,acme,web,simulator/* other/*,"requests=60/1m, cost=25/month",2999-01-31,"team=search,env=prod","Ann, head",4711',
        'ben,acme,web',
      ),
      '--out',
      out,
    );
    expect([code, printed], err).to.deep.equal([0, '']);
    expect(err).to.include(`Created 2 keys. Their secrets are in ${out}, which only this user can read.`);
    expect(statSync(out).mode & 0o777).to.equal(0o600);
    const [head, ann = '', ben = '', ...rest] = readFileSync(out, 'utf8').split('\n');
    expect([head, rest]).to.deep.equal(['organization,project,name,id,secret', ['']]);
    expect(ann).to.match(/^acme,web,ann,\w{8},koine_\w{8}_\w{49}$/);
    expect(err).to.not.include('koine_');
    await becomes({ url: gateway.data.url }, ben.split(',')[4] ?? '', 200);
    const keys = await list();
    expect(keys.find(({ name }) => name === 'ann')).to.deep.include({
      models: ['simulator/*', 'other/*'],
      limits: [
        { requests: 60, per: '1m' },
        { cost: 25, per: 'month' },
      ],
      expiresAt: '2999-01-31T00:00:00.000Z',
      tags: { team: 'search', env: 'prod' },
      metadata: { owner: 'Ann, head', 'cost-center': '4711' },
    });
    expect(keys.find(({ name }) => name === 'ben')).to.not.have.any.keys('limits', 'tags', 'metadata');
  });

  it('writes the secrets to standard output without --out', async () => {
    const { code, out } = await importFile(write('name', 'cem'));
    expect(code).to.equal(0);
    expect(out).to.match(/^organization,project,name,id,secret\ndefault,default,cem,\w{8},koine_\w+\n$/);
  });

  it('creates no key twice', async () => {
    const table = write('name', 'dan', 'eve');
    expect((await importFile(write('name', 'dan'))).code).to.equal(0);
    const again = await importFile(table);
    expect([again.code, again.out]).to.deep.equal([1, '']);
    expect(again.err).to.include(
      '1 of these keys exist: default/default/dan. Remove their rows, or give --skip-existing.',
    );
    const { out, err } = await importFile(table, '--skip-existing');
    expect(out.split('\n')).to.have.length(3);
    expect(err).to.include('Created 1 key, skipped 1 existing.');
  });

  it('creates all keys or none, and names the row', async () => {
    const before = await list();
    const out = join(files, 'never.csv');
    for (const [rows, message] of [
      [['name,limits', 'x,requests=60/1m', 'y,requests'], /^row 3: limits must look like/],
      [['name', 'x', 'a b'], /^row 3: key\.name must look like/],
      [['name,organization,project', 'x,,', 'alice,acme,web'], /1 of these keys exist: acme\/web\/alice/],
      [['name', 'x', 'x'], /^row 3: default\/default\/x is the key of row 2 already/],
      [['name,expires', 'x,1999-01-31'], /^row 2: key\.expires must be in the future/],
      [['name,tags', 'x,team'], /^row 2: tags must look like NAME=VALUE/],
      [['name,models', 'x,simulator/"*"'], /^Line 2 of the table has a quote in the wrong place/],
      [['name\u001b[2J', 'x'], /^The first row has the column "name\\u001b\[2J"/],
      [['name', 'x,y'], /^row 2: The row has 2 cells for 1 columns/],
      [['name,limit', 'x,y'], /column "limit"\. .*Did you mean "limits"\?/],
      [['nam', 'x'], /Did you mean "name"\?/],
      [['name,name', 'x,y'], /"name" twice/],
      [['models', 'x'], /needs the column "name"/],
    ] as const) {
      const refused = await importFile(write(...rows), '--out', out);
      expect(refused.code, rows.join()).to.be.oneOf([1, 2]);
      expect(refused.err).to.match(message);
      expect(existsSync(out)).to.equal(false);
    }
    expect(await list()).to.deep.equal(before);
  });

  it('reports all wrong rows at once', async () => {
    const rows = [
      'ann,acme,web,request=60/1m,',
      'a b,,,,',
      'ok,acme,web,,',
      'ben,acme,webb,,',
      'ok,acme,web,,1999-01-31',
    ];
    const { code, err } = await importFile(write('name,organization,project,limits,expires', ...rows));
    expect(code).to.equal(2);
    expect(err.split('\n').map((line) => line.slice(0, 36))).to.deep.equal([
      'row 2: limits has the unit "request"',
      'row 3: key.name must look like acme ',
      'row 5: The configuration has no proj',
      'row 6: key.expires must be in the fu',
      '4 of 5 rows are wrong.',
      'See "koine --help".',
      '',
    ]);
  });

  it('names the rows of the file also after others were skipped', async () => {
    const file = write('name,organization,project,models', 'alice,acme,web,', 'kim,acme,web,nothing/*');
    expect((await importFile(file, '--skip-existing')).err).to.include('warning: row 3: No model of');
  });

  it('overwrites no file, and creates no key whose secret it cannot write', async () => {
    const before = await list();
    const table = write('name', 'zoe');
    const exists = await importFile(table, '--out', table);
    expect([exists.code, readFileSync(table, 'utf8')]).to.deep.equal([2, 'name\r\nzoe']);
    expect(exists.err).to.include('exists. Secrets are written to a new file only');
    expect((await importFile(table, '--out', join(files, 'missing', 'out.csv'))).err).to.include(
      'folder does not exist',
    );
    expect((await importFile(join(files, 'missing.csv'))).err).to.include('cannot be read');
    expect((await importFile()).err).to.include('Give the table first');
    expect(await list()).to.deep.equal(before);
  });

  it('refuses a table with a project that the configuration lacks, unless it is allowed', async () => {
    const file = write('name,organization,project', 'uma,acme,web', 'vic,acme,webb');
    const { code, err } = await importFile(file);
    expect(code).to.equal(2);
    expect(err).to.match(/row 3: The configuration has no project acme\/webb, .* Did you mean "acme\/web"\?/);
    expect((await importFile(file, '--allow-unknown-project')).code).to.equal(0);
  });
});
