import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { diff } from '../../../../core/cli/diff/diff.ts';
import { describeComparable } from '../../../../core/config/diff/comparable-config.ts';
import { loadConfig } from '../../../../core/config/load.ts';
import { builtIns } from '../all-built-ins.ts';
import { runHere } from '../run-here.ts';
import { runKoine, type Run } from '../run-koine.ts';
import { createServedFolder } from '../served-folder.ts';

const settings = {
  server: { port: 8787 },
  providers: { simulator: { use: 'simulator' }, openai: { use: 'openai', config: { apiKey: '${KEY:-}' } } },
  models: {
    'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
    'openai/a': { targets: [{ provider: 'openai', model: 'a' }] },
  },
  plugins: [{ use: 'auth' }],
};

/** The response of GET /admin/config of a gateway that serves the file. */
const serveConfig = async (file: string, env: Record<string, string>, token: string): Promise<Server> => {
  const loaded = await loadConfig(file, builtIns, env);
  const server = createServer(({ headers, url }, response) => {
    const isKnown = headers.authorization === `Bearer ${token}` && url === '/admin/config';
    response
      .writeHead(isKnown ? 200 : 401)
      .end(
        JSON.stringify(isKnown ? { hash: loaded.hash, ...describeComparable(loaded, 'salt of another process') } : {}),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

describe('koine diff', () => {
  let folder = '';
  const write = (name: string, more: object): string => {
    writeFileSync(join(folder, name), stringify({ ...settings, ...more }));
    return name;
  };
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> =>
    runHere(['diff', ...args], { cwd: folder, env });
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-'));
    write('old.yaml', {});
  });
  after(() => rmSync(folder, { recursive: true }));

  it('exits with 0 if the files differ only in notation', async () => {
    writeFileSync(
      join(folder, 'same.yaml'),
      `# a comment\n${JSON.stringify({ ...settings, stream: { openAfter: '4000ms' } })}\n`,
    );
    expect(await run(['old.yaml', 'same.yaml'])).to.deep.equal({
      code: 0,
      out: 'old.yaml -> same.yaml: nothing differs.\n',
      err: '',
    });
  });

  it('exits with 1 and shows for each setting whether it requires a restart', async () => {
    write('new.yaml', { server: { port: 9000 }, aliases: { fast: 'simulator/chat' }, stream: { openAfter: '2s' } });
    const { code, out } = await run(['old.yaml', 'new.yaml']);
    expect(code).to.equal(1);
    expect(out.split('\n').toSorted()).to.deep.equal([
      '',
      'live     aliases.fast: added "simulator/chat"',
      'live     stream.openAfter: "4s" -> "2s"',
      'old.yaml -> new.yaml: 3 settings differ, 1 of them requires a restart.',
      'restart  server.port: 8787 -> 9000',
    ]);
  });

  it('koine diff prints the differences as JSON', async () => {
    write('new.yaml', { server: { port: 9000 } });
    const { code, out } = await runKoine(['diff', 'old.yaml', 'new.yaml', '--format', 'json'], { cwd: folder });
    expect(code).to.equal(1);
    expect(JSON.parse(out)).to.deep.equal({
      before: 'old.yaml',
      after: 'new.yaml',
      changes: [{ path: 'server.port', before: 8787, after: 9000, reload: 'restart' }],
    });
  });

  it('reports a changed secret without showing either', async () => {
    write('new.yaml', {
      providers: { ...settings.providers, openai: { use: 'openai', config: { apiKey: 'sk-in-the-file' } } },
    });
    const { code, out, err } = await run(['old.yaml', 'new.yaml'], { KEY: 'sk-of-the-variable' });
    expect(code).to.equal(1);
    expect(out).to.match(/^live {5}providers\.openai\.config\.apiKey: "\*\*\*[0-9a-f]{4}" -> "\*\*\*[0-9a-f]{4}"\n/);
    expect(out + err).not.to.match(/sk-/);
  });

  it('koine diff exits with 2 on a wrong command line', async () => {
    const { code, err } = await run(['old.yaml']);
    expect(code).to.equal(2);
    expect(err).to.match(/^Give two files: koine diff OLD NEW/);
  });

  for (const [what, args, message] of [
    ['three files', ['a', 'b', 'c'], 'Give two files'],
    ['two files and --live', ['a', 'b', '--live'], 'Give two files'],
    ['a file that is not there', ['none.yaml', 'none.yaml'], 'none.yaml cannot be read'],
    ['an address without --live', ['a', 'b', '--admin', 'http://x'], '--admin and --token go with --live.'],
    ['an unknown format', ['a', 'b', '--format', 'xml'], '--format must be text or json'],
    ['an unknown option', ['a', 'b', '--all'], "Unknown option '--all'"],
    ['no address', ['old.yaml', '--live', '--admin', 'x'], '--admin must be an address like'],
    [
      'an address where nothing listens',
      ['old.yaml', '--live', '--admin', 'http://127.0.0.1:9'],
      'The gateway cannot be reached at http://127.0.0.1:9: ',
    ],
  ] as const)
    it(`koine diff refuses ${what}`, async () => {
      const refusal = await diff(
        args.map((arg) => (arg === 'old.yaml' ? join(folder, arg) : arg)),
        builtIns,
      ).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(Error).with.property('message').that.includes(message);
    });

  it('exits with 2 and prints the problems if a file is not valid', async () => {
    write('bad.yaml', { server: { prot: 1 } });
    const { code, err } = await run(['old.yaml', 'bad.yaml']);
    expect(code).to.equal(2);
    expect(err).to.match(/^bad\.yaml:\d+:\d+ error unknown-key /);
  });

  it('compares a file with a running gateway', async () => {
    write('new.yaml', { aliases: { fast: 'simulator/chat' } });
    const server = await serveConfig(join(folder, 'old.yaml'), { KEY: 'sk-live' }, 'word');
    try {
      const admin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const same = await run(['old.yaml', '--live', '--admin', admin, '--token', 'word'], { KEY: 'sk-live' });
      expect(same).to.deep.equal({ code: 0, out: `${admin} -> old.yaml: nothing differs.\n`, err: '' });
      const other = await run(['new.yaml', '--live', '--admin', admin], { KEY: 'sk-other', KOINE_ADMIN_TOKEN: 'word' });
      expect(other.code).to.equal(1);
      expect(other.out)
        .to.match(/^live {5}providers\.openai\.config\.apiKey: /m)
        .and.match(/^live {5}aliases\.fast: added /m)
        .and.not.match(/sk-/);
      const refused = await run(['new.yaml', '--live', '--admin', admin, '--token', 'wrong']);
      expect(refused.code).to.equal(2);
      expect(refused.err).to.include('refuses the admin token');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('finds no difference to the file that the gateway serves, and the differences to another file', async () => {
    const served = createServedFolder();
    const gateway = await served.serve();
    try {
      const { code, out, err } = await served.run('diff', '--live', '--admin', gateway.admin.url);
      expect({ code, err }).to.deep.equal({ code: 0, err: '' });
      expect(out).to.equal(`${gateway.admin.url} -> gateway.yaml: nothing differs.\n`);
      served.change({ aliases: {}, store: { database: 'sqlite:./data/other.db' } });
      const other = await served.run('diff', '--live', '--admin', gateway.admin.url);
      expect(other.code).to.equal(1);
      expect(other.out)
        .to.match(/^restart {2}store\.database: /m)
        .and.match(/^live {5}aliases\.fast: removed "simulator\/chat"$/m)
        .and.match(/: 2 settings differ, 1 of them requires a restart\.\n$/);
    } finally {
      gateway.cut();
      await gateway.stop();
      served.remove();
    }
  });
});
