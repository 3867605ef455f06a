import { expect } from 'chai';
import { createAuditLog, type AuditEntry, type AuditLog } from '../../../../../core/http/admin/audit/audit-log.ts';
import { openDatabase, type Database } from '../../../../../core/services/database/database.ts';
import { createTestLog } from '../../../../../core/testing/index.ts';
import { describeOnBoth } from '../../../../support/servers/databases.ts';

const DAY = 86_400_000;
const entry: AuditEntry = { at: 0, actor: 'dora', role: 'editor', action: 'POST /admin/keys', status: 201 };

describeOnBoth('the table of the audit log', ({ fresh }) => {
  const log = createTestLog();
  let database: Database;
  let audit: AuditLog;
  let now = 0;
  beforeEach(async () => {
    log.lines.length = 0;
    now = 100 * DAY;
    database = await openDatabase(await fresh());
    audit = createAuditLog(database, { now: () => now }, log, 10 * DAY);
  });
  afterEach(() => database.destroy());
  const record = (at: number, more: Partial<AuditEntry> = {}): Promise<void> => audit.record({ ...entry, at, ...more });
  const times = async (filter: Partial<Parameters<AuditLog['list']>[0]> = {}): Promise<readonly number[]> =>
    (await audit.list({ limit: 100, ...filter })).map(({ at }) => at);

  it('keeps what a call has changed, as JSON', async () => {
    await record(now, { target: 'k1', before: { disabled: false }, after: 'f00', address: '127.0.0.1' });
    const [{ id, ...row } = { id: '' }] = await audit.list({ limit: 1 });
    expect(id).to.match(/^[\da-f-]{36}$/);
    expect(row).to.deep.equal({
      ...entry,
      at: now,
      target: 'k1',
      before: '{"disabled":false}',
      after: '"f00"',
      address: '127.0.0.1',
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

  it('logs an audit entry that cannot be written, and does not fail its call', async () => {
    await database.schema.dropTable('audit').execute();
    await record(now);
    expect(log.lines.map(({ level, text }) => [level, text])).to.deep.equal([
      ['error', 'an entry of the audit log could not be written'],
    ]);
  });
});
