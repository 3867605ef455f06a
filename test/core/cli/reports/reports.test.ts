import { expect } from 'chai';
import type { Gateway } from '../../../../core/gateway.ts';
import { KEY } from '../../../support/gateway.ts';
import { runKoine } from '../run-koine.ts';
import { createServedFolder, type ServedFolder } from '../served-folder.ts';

describe('koine requests and koine usage', () => {
  let folder: ServedFolder;
  let gateway: Gateway;
  let admin = '';
  const call = (model: string): Promise<Response> =>
    fetch(`${gateway.data.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
  const run = (...args: readonly string[]) => folder.run(...args, '--admin', admin);

  before(async () => {
    folder = createServedFolder({ plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }] });
    gateway = await folder.serve();
    admin = gateway.admin.url;
    for (let count = 0; count < 3; count += 1) await (await call('simulator/chat')).text();
    await (await call('simulator/nothing')).text();
    for (;;) {
      const { out } = await run('requests', '--format', 'json');
      if ((JSON.parse(out) as readonly unknown[]).length === 4) return;
    }
  });
  after(async () => {
    gateway?.cut();
    await gateway?.stop();
    folder.remove();
  });

  it('koine requests lists requests in a table', async () => {
    const { code, out, err } = await run('requests', '--outcome', 'success', '--last', '1h');
    expect([code, err]).to.deep.equal([0, '']);
    const [head = '', ...rows] = out.trimEnd().split('\n');
    expect(head).to.match(/^TIME +ID +KEY +MODEL +TARGET +STATUS +OUTCOME/);
    expect(rows).to.have.length(3);
    for (const row of rows) expect(row).to.match(/ req_\w+ +acme\/web\/alice +simulator\/chat .* 200 +ok /);
  });

  it('koine requests finds what its options select, and stops at the limit', async () => {
    expect(JSON.parse((await run('requests', '--limit', '2', '--format', 'json')).out)).to.have.length(2);
    const refused = JSON.parse((await run('requests', '--status', '404', '--format', 'json')).out) as object[];
    expect(refused).to.have.length(1);
  });

  it('koine requests ID shows one request', async () => {
    const [first] = JSON.parse((await run('requests', '--format', 'json')).out) as readonly { readonly id: string }[];
    const { out } = await run('requests', first?.id ?? '');
    expect(JSON.parse(out)).to.include({ id: first?.id }).and.have.property('attemptTrail');
  });

  it('koine usage reports in a table, as JSON and as CSV', async () => {
    const { code, out } = await run('usage', '--by', 'model,key', '--where', 'project=acme/web');
    expect(code).to.equal(0);
    expect(out).to.match(/^MODEL +KEY +REQUESTS +SUCCESS +INPUT/m);
    expect(out).to.match(/^simulator\/chat +acme\/web\/alice +3 +100\.00 % /m);
    expect(out).to.match(/^total +total +3 /m);
    const report: unknown = JSON.parse((await run('usage', '--format', 'json')).out);
    expect(report).to.have.nested.property('totals.exchanges', 3);
    expect((await run('usage', '--by', 'model', '--format', 'csv')).out).to.match(/^model,exchanges,/m);
  });

  it('the errors of the admin API are those of the command', async () => {
    for (const [args, message] of [
      [['usage', '--by', 'colour'], /^by must be one of organization/],
      [['usage', '--where', 'model'], /^--where must look like/],
      [['requests', '--outcome', 'bad'], /^outcome must be one or several of/],
      [['requests', '--limit', '0'], /^--limit must be a count/],
      [['requests', '--last', 'week'], /^--last must look like 30m/],
      [['usage', '--last', '1h', '--from', '2026-01-01'], /^Give either --last/],
    ] as const) {
      const { code, err } = await run(...args);
      expect(code, args.join(' ')).to.equal(2);
      expect(err).to.match(message);
    }
  });

  it('koine requests is a program that reads the address of the configuration', async () => {
    const { code, out, err } = await runKoine(['requests', '--format', 'json', '--admin', admin]);
    expect(code, err).to.equal(0);
    expect(JSON.parse(out)).to.have.length(4);
    const unreachable = await folder.run('usage', '--admin', 'http://127.0.0.1:9');
    expect(unreachable.err).to.include('The gateway cannot be reached at http://127.0.0.1:9');
  });
});
