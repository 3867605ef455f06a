import { expect } from 'chai';
import type { AuditEntry } from '../../../../../core/http/admin/audit/audit-entry.ts';
import { AuditLog } from '../../../../../core/http/admin/audit/audit-log.ts';
import { verifyAudit } from '../../../../../core/http/admin/audit/verify.ts';
import { openDatabase, type Database } from '../../../../../core/services/database/database.ts';
import { createTestLog } from '../../../../../core/testing/index.ts';
import { describeOnBoth } from '../../../../support/servers/databases.ts';

const DAY = 86_400_000;
const entry: AuditEntry = {
  at: 0,
  kind: 'person',
  actor: 'dora',
  issuer: 'https://idp',
  subject: 'd1',
  role: 'editor',
  action: 'POST /admin/keys',
  status: 201,
};

describeOnBoth('the table of the audit log', ({ fresh }) => {
  const log = createTestLog();
  let url: string;
  let database: Database;
  let audit: AuditLog;
  let now = 0;
  beforeEach(async () => {
    log.lines.length = 0;
    now = 100 * DAY;
    url = await fresh();
    database = await openDatabase(url);
    audit = new AuditLog(database, { now: () => now }, log, 10 * DAY);
  });
  afterEach(() => database.destroy());
  const record = (at: number, more: Partial<AuditEntry> = {}): Promise<void> => audit.record({ ...entry, at, ...more });
  const times = async (filter: Partial<Parameters<AuditLog['list']>[0]> = {}): Promise<readonly number[]> =>
    (await audit.list({ limit: 100, ...filter })).map(({ at }) => at);

  it('keeps what a call has changed, as JSON', async () => {
    await record(now, { target: 'k1', before: { disabled: false }, after: 'f00', address: '127.0.0.1' });
    const [{ id, digest, ...row } = { id: '', digest: '' }] = await audit.list({ limit: 1 });
    expect(id).to.match(/^[\da-f-]{36}$/);
    expect(digest).to.match(/^[\da-f]{64}$/);
    expect(row).to.deep.equal({
      ...entry,
      at: now,
      target: 'k1',
      before: '{"disabled":false}',
      after: '"f00"',
      address: '127.0.0.1',
      count: 1,
      position: 1,
      previous: '0'.repeat(64),
    });
  });

  it('masks what looks like a key in the state of an audit entry', async () => {
    await record(now, { after: { note: 'koine_4KTEtVOp_abcdefghijklmnop' } });
    const [row] = await audit.list({ limit: 1 });
    expect(row?.after).to.equal('{"note":"[redacted]"}');
  });

  it('selects audit entries by time, actor and action, and goes on after an entry of the same time', async () => {
    await record(now - 2);
    await record(now - 1, { actor: 'emil' });
    await record(now - 1, { action: 'POST /admin/reload' });
    expect(await times()).to.deep.equal([now - 1, now - 1, now - 2]);
    expect(await times({ from: now - 1 })).to.have.length(2);
    expect(await times({ to: now - 1 })).to.deep.equal([now - 2]);
    expect(await times({ actor: 'emil' })).to.deep.equal([now - 1]);
    expect(await times({ action: 'POST /admin/keys', actor: 'dora' })).to.deep.equal([now - 2]);
    const [first, ...others] = await audit.list({ limit: 3 });
    expect(await audit.list({ limit: 3, after: first! })).to.deep.equal(others);
  });

  it('deletes audit entries after their retention, at most once an hour', async () => {
    await record(now - 11 * DAY);
    expect(await times()).to.deep.equal([]);
    await record(now - 11 * DAY);
    await record(now);
    expect(await times()).to.deep.equal([now, now - 11 * DAY]);
    now += 3_600_000;
    await record(now);
    expect(await times()).to.deep.equal([now, now - 3_600_000]);
  });

  it('a flood of one refused call becomes two entries, and none of its calls is lost at the end', async () => {
    const refused = { status: 403, action: 'POST /admin/reload' };
    await Promise.all(Array.from({ length: 3_000 }, (_, index) => record(now + index, refused)));
    await record(now, { ...refused, subject: 'd2' });
    await record(now, { ...refused, action: 'GET /admin/circuits' });
    const counts = async () =>
      (await audit.list({ limit: 9 })).map(({ subject, action, count }) => [subject, action, count]);
    expect(await counts()).to.have.deep.members([
      ['d1', 'POST /admin/reload', 1],
      ['d2', 'POST /admin/reload', 1],
      ['d1', 'GET /admin/circuits', 1],
    ]);
    await audit.writeFailures();
    await audit.writeFailures();
    const [last, ...others] = await counts();
    expect([last, others.length]).to.deep.equal([['d1', 'POST /admin/reload', 2_999], 3]);
    await record(now, refused);
    expect(await counts()).to.have.length(5);
    expect((await verifyAudit(database)).broken).to.equal(undefined);
  });

  it('counts the failures of ten thousand actors in the memory of a thousand', async () => {
    for (let round = 0; round < 2; round += 1)
      await Promise.all(
        Array.from({ length: 2_500 }, (_, index) => record(now, { status: 403, subject: `s${index % 1_250}` })),
      );
    await audit.writeFailures();
    const entries = await audit.list({ limit: 10_000 });
    expect(entries.reduce((sum, { count }) => sum + count, 0)).to.equal(5_000);
    expect((await verifyAudit(database)).broken).to.equal(undefined);
  });

  it('several writers on one database share one chain', async () => {
    const other = await openDatabase(url);
    const audits = [audit, new AuditLog(other, { now: () => now }, log, 10 * DAY)];
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        audits[index % 2]?.record({ ...entry, at: now + index, target: `k${index}` }),
      ),
    );
    await other.destroy();
    const { entries, broken } = await verifyAudit(database);
    expect([entries, broken, log.lines]).to.deep.equal([200, undefined, []]);
  });

  it('texts that a database would change are changed before the digest', async () => {
    await record(now, { actor: 'd\ud800ra', target: 'a\0b', after: { note: '\udfff\0' } });
    const [row] = await audit.list({ limit: 1 });
    expect([row?.actor, row?.target]).to.deep.equal(['d\u{fffd}ra', 'a\u{fffd}b']);
    expect((await verifyAudit(database)).broken).to.equal(undefined);
  });

  it('logs an audit entry that cannot be written, and does not fail its call', async () => {
    await database.schema.dropTable('audit').execute();
    await record(now);
    expect(log.lines.map(({ level, text }) => [level, text])).to.deep.equal([
      ['error', 'an entry of the audit log could not be written'],
    ]);
  });
});
