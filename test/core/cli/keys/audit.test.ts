import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../../../core/gateway.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly status: number;
  readonly address: string;
}

describe('koine keys in the audit log', () => {
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
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await folder.run('keys', ...args);
    expect(code, err).to.equal(0);
    return out.trim();
  };
  /** @param query of the call, with filters */
  const listEntries = async (query = ''): Promise<readonly Entry[]> => {
    const response = await fetch(`${gateway.admin.url}/admin/audit${query}`);
    return ((await response.json()) as { readonly entries: readonly Entry[] }).entries;
  };
  const idOf = (secret: string): string => secret.slice(6, 14);

  it('each change by a command has an entry, with the user of the operating system and no secret', async () => {
    const secret = await run('create', '--name', 'ann', ...owner);
    await run('edit', 'ann', '--tags', 'team=search');
    const rotated = await run('rotate', '--id', idOf(secret));
    await run('revoke', '--id', idOf(rotated));
    await run('list');
    const entries = await listEntries();
    expect(entries.map(({ action, target, status }) => [action, target, status])).to.deep.equal([
      ['koine keys revoke', idOf(rotated), 200],
      ['koine keys rotate', idOf(secret), 201],
      ['koine keys edit', idOf(secret), 200],
      ['koine keys create', idOf(secret), 201],
    ]);
    for (const { actor, address } of entries)
      expect([actor, address]).to.deep.equal([`cli:${userInfo().username}`, hostname()]);
    const [, , edited, created] = entries;
    expect(created).to.deep.include({ before: null }).and.to.have.nested.property('after.name', 'ann');
    expect(edited?.before).to.not.have.property('tags');
    expect(edited).to.have.nested.property('after.tags.team', 'search');
    expect(JSON.stringify(entries)).to.not.contain(secret.slice(14)).and.not.contain(rotated.slice(14));
  });

  it('an import is one entry with all of its keys', async () => {
    writeFileSync(join(folder.path, 'team.csv'), 'organization,project,name\nacme,web,ben\nacme,web,cem\n');
    await run('import', 'team.csv', '--out', 'secrets.csv');
    const [entry, ...others] = await listEntries(`?action=${encodeURIComponent('koine keys import')}`);
    expect(others).to.deep.equal([]);
    const created = entry?.after as readonly { readonly name: string }[] | undefined;
    expect(created?.map(({ name }) => name)).to.deep.equal(['ben', 'cem']);
    expect(entry?.target.split(' ')).to.have.length(2);
  });

  it('a command that fails has no entry', async () => {
    const before = await listEntries();
    expect((await folder.run('keys', 'revoke', '--id', 'AAAAAAAA')).code).to.not.equal(0);
    expect(await listEntries()).to.deep.equal(before);
  });
});
