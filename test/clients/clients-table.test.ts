import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/release/lockfile.ts';
import { replaceClients, writeClients } from './clients-table.ts';

const PAGE = join(root, 'docs/start/clients.md');

describe('the table of clients', () => {
  it('docs/start/clients.md lists every client that tests run, with its version, its wires and what was held', () => {
    const page = readFileSync(PAGE, 'utf8');
    const written = replaceClients(page, writeClients());
    if (process.env['KOINE_WRITE_CLIENTS'] === '1') writeFileSync(PAGE, written);
    else expect(page, 'stale: run the test with KOINE_WRITE_CLIENTS=1').to.equal(written);
  });
});
