import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { json, readJson } from '../support/admin.ts';
import { goodHeaders, send } from '../support/http.ts';
import { startKoine, type KoineProcess } from './koine-process.ts';

const TOKEN = 'Zp4w8Q2nV7xK1mB6tR9yL3cH5jD0fG7s';
const authorization = { authorization: `Bearer ${TOKEN}` };

interface Version {
  readonly version: string;
  readonly commit: string;
  readonly node: string;
  readonly configuration: { readonly hash: string; readonly generation: number; readonly loadedAt: string };
  readonly startedAt: string;
  readonly uptimeSeconds: number;
  readonly workers: number;
}

describe('GET /version', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine(
      { server: { workers: 2, watch: false }, admin: { port: 0, token: TOKEN }, plugins: [{ use: 'auth' }] },
      { KOINE_COMMIT: 'abc1234' },
    );
  });
  after(() => koine.end());
  const ask = (headers: Readonly<Record<string, string>> = authorization) =>
    send(koine.adminUrl, { method: 'GET', path: '/version', headers });

  it('the version call returns the versions and the number of the configuration generation', async () => {
    const first = readJson<Version>(await ask());
    expect(first).to.include({ commit: 'abc1234', node: process.versions.node, workers: 2 });
    expect(first.version).to.match(/^\d+\.\d+\.\d+/);
    expect(first.configuration.generation).to.equal(1);
    expect(first.uptimeSeconds).to.be.within(0, 3_000);
    expect(Math.abs(Date.now() - first.uptimeSeconds * 1_000 - Date.parse(first.startedAt))).to.be.below(60_000);
    writeFileSync(koine.file, `${readFileSync(koine.file, 'utf8')}\naliases: { fast: simulator/chat }\n`);
    const { hash } = readJson<{ hash: string }>(
      await send(koine.adminUrl, { path: '/admin/reload', headers: { ...json, ...authorization }, body: '{}' }),
    );
    const second = readJson<Version>(await ask());
    expect(second.configuration).to.include({ hash, generation: 2 });
    expect(second.configuration.hash).to.not.equal(first.configuration.hash);
  });

  it('the version call needs the admin token, and is not served on the data listener', async () => {
    expect((await ask({})).status).to.equal(401);
    const reply = await send(koine.url, { method: 'GET', path: '/version', headers: goodHeaders });
    expect(reply.status).to.equal(404);
    expect(reply.text).to.not.contain('abc1234');
  });
});
