import { expect } from 'chai';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askAdmin, json, readJson } from '../../support/admin.ts';
import { callOf } from '../../support/calls.ts';
import { KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { readError, send, type HttpReply } from '../../support/http.ts';
import { entryOf } from '../../support/scene.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const TOKEN = 'admin-token-of-the-prompt-log';

interface Read {
  readonly id: string;
  readonly request: { readonly turns: readonly object[] };
  readonly response: { readonly choices: readonly object[] };
}

describe('reading the prompt log on the admin listener', () => {
  const folder = createTemporaryFolder();
  const path = join(folder.path, 'prompts');
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': entryOf('simulator/chat') },
      admin: { port: 0, token: TOKEN },
      plugins: [
        { use: 'auth' },
        { use: 'prompt-log', config: { encryptionKey: Buffer.alloc(32, 7).toString('base64'), files: { path } } },
      ],
    });
  });
  after(async () => {
    await gateway?.stop();
    folder.remove();
  });

  const files = (): readonly string[] => {
    try {
      return readdirSync(path).map((name) => join(path, name));
    } catch {
      return [];
    }
  };
  const ask = async (): Promise<string> => {
    const headers = { ...json, authorization: `Bearer ${KEY}` };
    const id = String(
      (await send(gateway.url, { ...callOf('chat', 'simulator/chat'), headers })).headers['x-request-id'],
    );
    await until('the record is written', () => files().some((file) => readFileSync(file, 'utf8').includes(id)));
    return id;
  };
  const read = (body: unknown): Promise<HttpReply> =>
    askAdmin(gateway, 'POST', '/admin/prompts', body, { ...json, authorization: `Bearer ${TOKEN}` });
  const now = (): string => new Date().toISOString();

  it('finds the record of a request among others, decrypts it, and leaves an entry in the audit log', async () => {
    await ask();
    const id = await ask();
    await ask();
    const record = readJson<Read>(await read({ id, time: now() }));
    expect(record.id).to.equal(id);
    expect(record.request.turns).to.have.length.above(0);
    expect(record.response.choices).to.have.length(1);
    const audit = await askAdmin(gateway, 'GET', '/admin/audit?limit=1', undefined, {
      authorization: `Bearer ${TOKEN}`,
    });
    const [entry] = readJson<{ entries: readonly object[] }>(audit).entries;
    expect(entry).to.include({ action: 'POST /admin/prompts', target: id, status: 200 });
  });

  it('a request that is not logged is a 404, and a wrong member a 400', async () => {
    const missing = await read({ id: `req_${'0'.repeat(32)}`, time: now() });
    expect(missing.status).to.equal(404);
    const id = await ask();
    expect((await read({ id, time: '2020-01-01T00:00:00Z' })).status).to.equal(404);
    for (const [body, param] of [
      [{ id: '../etc/passwd', time: now() }, 'id'],
      [{ id, time: 'yesterday' }, 'time'],
      [{ id, time: '+275760-09-13T00:00:00.000Z' }, 'time'],
      [undefined, 'id'],
    ] as const) {
      const reply = await read(body);
      expect(reply.status, reply.text).to.equal(400);
      expect(readError(reply).error).to.include({ param });
    }
  });

  it('the line of another request under this id is not shown', async () => {
    const [mine, other] = [await ask(), await ask()];
    for (const file of files()) {
      const lines = readFileSync(file, 'utf8').split('\n');
      const own = lines.findIndex((line) => line.includes(mine));
      if (own < 0) continue;
      lines[own] = (lines.find((line) => line.includes(other)) ?? '').replace(other, mine);
      writeFileSync(file, lines.join('\n'));
    }
    expect((await read({ id: mine, time: now() })).status).to.equal(409);
  });
});
