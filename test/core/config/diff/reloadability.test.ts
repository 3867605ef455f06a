import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JsonObject } from '../../../../core/canonical/wire.ts';
import { needsRestart } from '../../../../core/config/diff/reloadability.ts';
import { adminSchema, serverSchema } from '../../../../core/config/schema/server.ts';

describe('a change', () => {
  for (const path of [
    ['server', 'port'],
    ['server', 'tls', 'cert'],
    ['server', 'host'],
    ['server', 'workers'],
    ['admin', 'host'],
    ['admin', 'port'],
    ['store'],
    ['store', 'redis'],
  ])
    it(`of ${path.join('.')} waits for a restart`, () => expect(needsRestart(path)).to.equal(true));

  for (const path of [
    ['server'],
    ['server', 'bodyLimit'],
    ['admin', 'token'],
    ['admin'],
    ['models', 'a/b', 'targets', 0],
    ['providers', 'store'],
    ['stream', 'openAfter'],
  ])
    it(`of ${path.join('.')} is taken up by a reload`, () => expect(needsRestart(path)).to.equal(false));
});

describe('the page on koine diff', () => {
  it('names every setting of the listeners that waits for a restart, and no other', () => {
    const page = readFileSync(new URL('../../../../docs/diff.md', import.meta.url), 'utf8');
    const [, server = '', admin = ''] = /^\| `restart` \| (`server\..*?); (`admin\..*?);/m.exec(page) ?? [];
    const said = (row: string): readonly string[] =>
      [...row.matchAll(/`(?:server\.|admin\.)?(\w+)`/g)].map(([, name = '']) => name);
    const meant = (section: string, schema: JsonObject): readonly string[] =>
      Object.keys(schema['properties'] as object).filter((name) => needsRestart([section, name]));
    expect(said(server)).to.have.members(meant('server', serverSchema));
    expect(said(admin)).to.have.members(meant('admin', adminSchema));
  });
});
