import { expect } from 'chai';
import { AuditLog } from '../../../../../core/http/admin/audit/audit-log.ts';
import { verifyAudit } from '../../../../../core/http/admin/audit/verify.ts';
import { openDatabase, sql, type Database } from '../../../../../core/services/database/database.ts';
import { createTestLog } from '../../../../../core/testing/index.ts';
import { describeOnBoth } from '../../../../support/servers/databases.ts';

const DAY = 86_400_000;
const ENTRIES = 2_500;

describeOnBoth('the verification of the audit log', ({ fresh }) => {
  const log = createTestLog();
  let database: Database;
  let audit: AuditLog;
  let now = 0;
  beforeEach(async () => {
    log.lines.length = 0;
    now = 100 * DAY;
    database = await openDatabase(await fresh());
    audit = new AuditLog(database, { now: () => now }, log, 10 * DAY);
  });
  afterEach(() => database.destroy());

  const record = (index: number, at = now + index): Promise<void> =>
    audit.record({
      at,
      kind: 'token',
      actor: 'token',
      role: 'admin',
      action: 'POST /admin/keys',
      target: `k${index}`,
      status: 201,
    });
  const fill = async (number: number): Promise<void> => {
    await Promise.all(Array.from({ length: number }, (_, index) => record(index + 1)));
  };
  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(database);
  /** What is reported, with the target of the entry, which was written as `k` and its position. */
  const verify = async (head?: string): Promise<readonly unknown[]> => {
    const { broken, entries } = await verifyAudit(database, head);
    return broken === undefined ? ['whole', entries] : [broken.reason, broken.entry?.target];
  };
  /** Copies the entry at a position, as a person would who knows the tables. */
  const insertCopy = (position: number | string, from: number): Promise<unknown> =>
    run(`INSERT INTO audit (id, at, kind, actor, role, action, target, status, position, previous, digest)
      SELECT 'forged', at, kind, actor, role, action, 'forged', status, ${position}, previous, digest
      FROM audit WHERE position = ${from}`);

  it('an audit log that was written over many pages is whole', async () => {
    expect(await verify()).to.deep.equal(['whole', 0]);
    await fill(ENTRIES);
    expect(await verify()).to.deep.equal(['whole', ENTRIES]);
  });

  for (const [what, statements, reported] of [
    ['the result of a call', ["UPDATE audit SET status = 403 WHERE target = 'k4'"], ['changed', 'k4']],
    ['the subject of a call', ["UPDATE audit SET subject = 'boss' WHERE target = 'k4'"], ['changed', 'k4']],
    ['the newest entry', ["UPDATE audit SET actor = 'boss' WHERE target = 'k9'"], ['changed', 'k9']],
    ['the first entry', ['UPDATE audit SET at = 5 WHERE position = 1'], ['changed', 'k1']],
    ['two entries', ["UPDATE audit SET count = 2 WHERE target IN ('k8', 'k3')"], ['changed', 'k3']],
    ['the digest of an entry', ["UPDATE audit SET digest = previous WHERE target = 'k4'"], ['changed', 'k4']],
    ['an entry that was deleted', ["DELETE FROM audit WHERE target = 'k4'"], ['removed', 'k5']],
    ['the oldest entries that were deleted', ['DELETE FROM audit WHERE position < 4'], ['removed', 'k4']],
    ['the newest entry that was deleted', ["DELETE FROM audit WHERE target = 'k9'"], ['removed', undefined]],
    ['all entries that were deleted', ['DELETE FROM audit'], ['removed', undefined]],
    [
      'the gap after a deletion that was closed',
      ["DELETE FROM audit WHERE target = 'k4'", 'UPDATE audit SET position = -position WHERE position > 4'].concat(
        'UPDATE audit SET position = -position - 1 WHERE position < 0',
      ),
      ['removed', 'k5'],
    ],
    [
      'two entries that were swapped',
      [
        'UPDATE audit SET position = -1 WHERE position = 4',
        'UPDATE audit SET position = 4 WHERE position = 5',
        'UPDATE audit SET position = 5 WHERE position = -1',
      ],
      ['reordered', 'k5'],
    ],
    ['an entry outside the order', ['UPDATE audit SET position = -1 WHERE position = 9'], ['removed', undefined]],
  ] as const)
    it(`reports ${what}`, async () => {
      await fill(9);
      for (const statement of statements) await run(statement);
      expect(await verify()).to.deep.equal(reported);
    });

  for (const [where, position, from] of [
    ['in the middle', 5, 5],
    ['at the end', 10, 9],
    ['before the first', 0, 1],
    ['without a place', 'NULL', 3],
  ] as const)
    it(`reports an entry that was inserted ${where}`, async () => {
      await fill(9);
      if (position === 5) {
        await run('UPDATE audit SET position = -position WHERE position > 4');
        await run('UPDATE audit SET position = 1 - position WHERE position < 0');
        await insertCopy(5, 6);
      } else await insertCopy(position, from);
      expect(await verify()).to.deep.equal(['inserted', 'forged']);
    });

  it('reports an entry that was inserted with a digest of its own', async () => {
    await fill(9);
    const before = await verifyAudit(database);
    await record(10);
    // As if the gateway had written it after the ninth, and the tenth came later.
    await run("UPDATE audit SET position = 11 WHERE target = 'k10'");
    const { head } = before;
    await run(`UPDATE audit_chain SET position = 9, head = '${head}'`);
    await audit.record({
      at: 1,
      kind: 'cli',
      actor: 'cli:eve',
      role: 'admin',
      action: 'x',
      target: 'forged',
      status: 1,
    });
    await run("UPDATE audit_chain SET position = 11, head = (SELECT digest FROM audit WHERE target = 'k10')");
    expect(await verify()).to.deep.equal(['inserted', 'forged']);
  });

  it('finds out with the digest of an earlier report that the newest entries were removed, without a trace', async () => {
    await fill(9);
    const { head } = await verifyAudit(database);
    await record(10);
    expect(await verify(head)).to.deep.equal(['whole', 10]);
    await run('DELETE FROM audit WHERE position > 7');
    await run('UPDATE audit_chain SET position = 7, head = (SELECT digest FROM audit WHERE position = 7)');
    expect(await verify()).to.deep.equal(['whole', 7]);
    expect(await verify(head)).to.deep.equal(['removed', undefined]);
  });

  it('is whole after old entries were deleted by the retention, and continues', async () => {
    await fill(1_200);
    const { head } = await verifyAudit(database);
    now += 10 * DAY + 1_100;
    await record(1_201);
    expect(log.lines).to.deep.equal([]);
    expect(await verify()).to.deep.equal(['whole', 102]);
    expect(await verify(head)).to.deep.equal(['whole', 102]);
    now += 20 * DAY;
    await record(1_202, now);
    expect(await verify()).to.deep.equal(['whole', 1]);
    await run("DELETE FROM audit WHERE target = 'k1202'");
    expect(await verify()).to.deep.equal(['removed', undefined]);
  });

  it('deletes no old entry that was changed, and says so', async () => {
    await fill(9);
    await run('UPDATE audit SET at = 0 WHERE position < 4');
    now += 3_600_000;
    await record(10);
    expect(await verify()).to.deep.equal(['changed', 'k1']);
    expect(log.lines.map(({ text }) => text)).to.deep.equal(['old entries of the audit log could not be deleted']);
  });

  it('entries from before the chain are counted: one more or less is reported', async () => {
    const old = (id: string): Promise<unknown> =>
      run(`INSERT INTO audit (id, at, actor, role, action, target, status)
        VALUES ('${id}', ${now}, 'dora', 'admin', 'POST /admin/keys', '${id}', 201)`);
    await old('one');
    await old('two');
    await run('UPDATE audit_chain SET unchained = 2');
    await fill(3);
    expect(await verifyAudit(database)).to.include({ entries: 3, unchained: 2, broken: undefined });
    await old('three');
    expect((await verify())[0]).to.equal('inserted');
    await run("DELETE FROM audit WHERE id IN ('one', 'two')");
    expect(await verify()).to.deep.equal(['removed', 'k1']);
  });
});
