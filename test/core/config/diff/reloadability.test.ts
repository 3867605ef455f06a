import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JsonObject } from '../../../../core/canonical/wire.ts';
import { needsRestart } from '../../../../core/config/diff/reloadability.ts';
import { adminSchema } from '../../../../core/config/schema/admin.ts';
import { serverSchema } from '../../../../core/config/schema/server.ts';

describe('needsRestart', () => {
  for (const path of [
    ['server', 'port'],
    ['server', 'tls'],
    ['admin', 'tls'],
    ['server', 'host'],
    ['server', 'workers'],
    ['admin', 'host'],
    ['admin', 'port'],
    ['store'],
    ['store', 'redis'],
  ])
    it(`a change of ${path.join('.')} needs a restart`, () => expect(needsRestart(path)).to.equal(true));

  for (const path of [
    ['server'],
    ['server', 'bodyLimit'],
    ['server', 'tls', 'cert'],
    ['admin', 'tls', 'key'],
    ['admin', 'token'],
    ['admin'],
    ['models', 'a/b', 'targets', 0],
    ['providers', 'store'],
    ['stream', 'openAfter'],
  ])
    it(`a change of ${path.join('.')} is applied by a reload`, () => expect(needsRestart(path)).to.equal(false));
});

describe('docs/reference/diff.md', () => {
  it('lists every setting of the listeners that needs a restart, and no other', () => {
    const page = readFileSync(new URL('../../../../docs/reference/diff.md', import.meta.url), 'utf8');
    const [, server = '', admin = ''] = /^\| `restart` \| (`server\..*?); (`admin\..*?);/m.exec(page) ?? [];
    const documented = (row: string): readonly string[] =>
      [...row.matchAll(/`(?:server\.|admin\.)?(\w+)`/g)].map(([, name = '']) => name);
    const expected = (section: string, schema: JsonObject): readonly string[] =>
      Object.keys(schema['properties'] as object).filter((name) => needsRestart([section, name]));
    expect(documented(server)).to.have.members(expected('server', serverSchema));
    expect(documented(admin)).to.have.members(expected('admin', adminSchema));
  });
});
