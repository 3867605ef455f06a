import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { runHere } from '../core/cli/run-here.ts';
import { runKoine } from '../core/cli/run-koine.ts';
import type { KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { requestOf } from './calls.ts';
import { markOf } from './marks.ts';
import { exchange, type Exchange } from './outputs.ts';
import type { CanaryScene } from './scene.ts';

const json = { 'content-type': 'application/json' };

const whole = ({ head, body }: Exchange): string => `${head}\n\n${body}`;
const asAdmin = ({ mark }: CanaryScene): Readonly<Record<string, string>> => ({
  ...json,
  authorization: `Bearer ${mark('admin-token')}`,
});

/** Keys that the gateway generates. They are shown once, in one response and nowhere else. */
export const makeKeys = async (scene: CanaryScene, { adminUrl, url }: KoineProcess): Promise<void> => {
  const ask = (path: string, body: object): Promise<Exchange> =>
    exchange(adminUrl, 'POST', path, asAdmin(scene), JSON.stringify(body));
  const take = (title: string, answer: Exchange): string => {
    const { id, secret } = JSON.parse(answer.body) as { readonly id: string; readonly secret: string };
    // The part before it is the prefix, which lists show.
    scene.keep(markOf(title, secret, secret.slice(secret.indexOf('_', 6) + 1)));
    scene.outputs.add(title, whole(answer), title);
    return id;
  };
  const id = take('key made', await ask('/admin/keys', { name: 'dora', organization: 'acme', project: 'web' }));
  take('key rotated', await ask(`/admin/keys/${id}/rotate`, { overlap: '1h' }));
  for (const name of ['key made', 'key rotated']) {
    const { path, headers, body } = requestOf(
      'chat',
      'openai-good/m',
      false,
      scene.mark(name),
      scene.mark('prompt bob'),
    );
    scene.outputs.add(
      `chat of ${name}`,
      whole(await exchange(url, 'POST', path, headers, JSON.stringify(body))),
      'prompt bob',
      'answer',
    );
  }
};

/** Calls every page and API of the admin listener with the right token, a wrong one and none. */
export const readAdmin = async (scene: CanaryScene, { adminUrl }: KoineProcess): Promise<readonly number[]> => {
  const { outputs, mark } = scene;
  const explain = {
    key: 'alice',
    model: 'openai-good/m',
    body: requestOf('chat', 'openai-good/m', true, '', mark('prompt chat')).body,
  };
  const pages = [
    '/',
    '/admin/pages',
    '/admin/login',
    '/admin/openapi.json',
    '/metrics',
    '/admin/keys',
    '/admin/config',
    '/admin/exchanges',
    '/admin/workers',
    '/admin/usage',
    '/admin/limits',
    '/admin/circuits',
    '/version',
    '/dashboard/app.js',
  ];
  const refused: readonly Readonly<Record<string, string>>[] = [
    {},
    { authorization: `Bearer ${mark('wrong admin-token')}` },
    { accept: 'text/html', cookie: `koine=${mark('wrong session')}` },
  ];
  const statuses: number[] = [];
  for (const path of pages) {
    const answer = await exchange(adminUrl, 'GET', path, asAdmin(scene));
    statuses.push(answer.status);
    outputs.add(`admin ${path}`, whole(answer), ...(path === '/admin/exchanges' ? ['name'] : []));
    for (const headers of refused)
      outputs.add(`admin ${path}, refused`, whole(await exchange(adminUrl, 'GET', path, headers)));
  }
  outputs.add(
    'admin explain',
    whole(await exchange(adminUrl, 'POST', '/admin/explain', asAdmin(scene), JSON.stringify(explain))),
    'prompt chat',
  );
  outputs.add(
    'admin explain, broken',
    whole(await exchange(adminUrl, 'POST', '/admin/explain', asAdmin(scene), `{"key":"${mark('prompt bad')}`)),
  );
  for (const name of ['admin-token', 'wrong admin-token'])
    outputs.add(
      `login with the ${name}`,
      whole(
        await exchange(
          adminUrl,
          'POST',
          '/admin/login',
          { 'content-type': 'application/x-www-form-urlencoded' },
          `token=${encodeURIComponent(mark(name))}&next=/`,
        ),
      ),
    );
  return statuses;
};

/** Configurations with plain secrets, each with another error; `%s` is replaced by a secret. */
const broken: readonly string[] = [
  'admin: { token: "%s", prot: 1 }',
  'providers: { mine: { use: openai, config: { apiKey: %s',
  'providers: { mine: { use: openai, config: { apiKey: ["%s"], baseUrl: "http://user:%s@127.0.0.1/v1" } } }',
  'store: { database: "mysql://user:%s@127.0.0.1/db", redis: "http://:%s@127.0.0.1" }',
  'organizations: { acme: { projects: { web: { keys: { alice: { key: "%s", sha256: "%s" } } } } } }',
  'plugins: [{ use: auth, config: { remote: { url: "ftp://127.0.0.1/?key=%s", headers: { authorization: "%s" } } } }]',
  'plugins: [{ use: traces, config: { endpoint: 7, headers: { authorization: { a: "%s" } } } }]',
];

/**
 * Reloads broken configurations: the response, the log and `check` name the error and no secret. One `check` is a
 * process of its own.
 */
export const reloadBroken = async (scene: CanaryScene, { adminUrl, file }: KoineProcess): Promise<void> => {
  const reload = async (title: string): Promise<void> =>
    scene.outputs.add(title, whole(await exchange(adminUrl, 'POST', '/admin/reload', asAdmin(scene), '{}')));
  const good = readFileSync(file, 'utf8');
  const texts = broken.map((text) => text.replaceAll('%s', () => scene.mark('broken')));
  for (const [index, text] of texts.entries()) {
    writeFileSync(file, text);
    await reload(`broken ${index}, reload`);
  }
  writeFileSync(file, good);
  await reload('reload');
  for (const [index, text] of texts.entries()) {
    const copy = `${file}.${index}.yaml`;
    writeFileSync(copy, text);
    const { out, err } = await (index === 0 ? runKoine : runHere)(
      ['check', '--config', copy, '--audit', '--format', index % 2 === 0 ? 'text' : 'json'],
      { env: scene.variables },
    );
    scene.outputs.add(`broken ${index}, check`, out + err);
  }
};

/**
 * Runs every command that shows a configuration or stored data, the first in a process of its own.
 * @returns their exit codes
 */
export const runCommands = async (
  scene: CanaryScene,
  { adminUrl, file }: KoineProcess,
): Promise<readonly (number | null)[]> => {
  const { mark, outputs } = scene;
  const folder = join(dirname(file), 'commands');
  mkdirSync(folder, { recursive: true });
  const [body, other] = [join(folder, 'body.json'), join(folder, 'other.yaml')];
  writeFileSync(body, JSON.stringify(requestOf('chat', 'openai-good/m', false, '', mark('prompt chat')).body));
  writeFileSync(other, readFileSync(file, 'utf8').replace(/token: .*ADMIN_TOKEN.*/, `token: '${mark('broken')}'`));
  const commands: readonly (readonly string[])[] = [
    ['check', '--audit', '--format', 'sarif', '--config', file],
    ['config', 'print', '--config', other],
    ['config', 'print', '--effective', '--format', 'json', '--config', other],
    ['explain', '--key', 'alice', '--model', 'google-good/m', '--body', body, '--all', '--config', file],
    ['diff', file, other],
    ['diff', other, '--live', '--admin', adminUrl, '--token', mark('admin-token')],
    ['diff', '--live', other, '--admin', adminUrl, '--token', mark('wrong admin-token')],
    ['keys', 'list', '--config', file],
  ];
  const codes: (number | null)[] = [];
  for (const [index, words] of commands.entries()) {
    const { code, out, err } = await (index === 0 ? runKoine : runHere)(words, { env: scene.variables });
    outputs.add(`command ${index}, koine ${words[0]}`, out + err, ...(words[0] === 'explain' ? ['prompt chat'] : []));
    codes.push(code);
  }
  return codes;
};

/** The database fails while requests continue: rows wait in a file. */
export const loseDatabase = async (scene: CanaryScene, { url, file, lines }: KoineProcess): Promise<void> => {
  await scene.postgres.kill();
  const spoolFiles = (): readonly string[] => readdirSync(dirname(file)).filter((name) => name.startsWith('spool'));
  const { path, headers, body } = requestOf(
    'chat',
    'openai-good/m',
    false,
    scene.mark('key alice'),
    scene.mark('prompt chat'),
  );
  await until(
    'rows wait in a file',
    async () => {
      scene.outputs.add(
        'chat without a database',
        whole(await exchange(url, 'POST', path, headers, JSON.stringify(body))),
        'prompt chat',
        'answer',
      );
      const isDown = lines().some(({ message }) => String(message).startsWith('the ledger cannot be written'));
      return isDown && spoolFiles().some((name) => readFileSync(join(dirname(file), name)).length > 200);
    },
    200,
  );
  for (const name of spoolFiles())
    scene.outputs.add(`the waiting rows in ${name}`, readFileSync(join(dirname(file), name)));
  await scene.postgres.restart();
  await until('the rows are written', () =>
    lines().some(({ message }) => String(message).startsWith('the ledger is written')),
  );
};

/**
 * Reads every value of every table, and of Redis.
 * @returns how many rows of the ledger are open, and how many were abandoned
 */
export const readStores = async (
  scene: CanaryScene,
): Promise<{ readonly pending: number; readonly abandoned: number }> => {
  const client = new Client({ connectionString: scene.postgres.url });
  await client.connect();
  const { rows: tables } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  );
  const found = new Map<string, readonly Readonly<Record<string, unknown>>[]>();
  for (const { tablename } of tables)
    found.set(
      tablename,
      (await client.query<Record<string, unknown>>(`SELECT * FROM ${client.escapeIdentifier(tablename)}`)).rows,
    );
  await client.end();
  // As in the access log, the message of a refused request can name what the client sent.
  for (const [table, rows] of found)
    scene.outputs.add(`table ${table}`, JSON.stringify(rows), ...(/^ledger(?:_before)?$/.test(table) ? ['name'] : []));
  const redis = new Redis(scene.redis.port, '127.0.0.1', { password: scene.mark('redis-password') });
  for (const key of await redis.keys('*'))
    scene.outputs.add(
      `Redis ${key.slice(0, 20)}`,
      Buffer.concat([Buffer.from(key), (await redis.dumpBuffer(key)) ?? Buffer.alloc(0)]),
    );
  redis.disconnect();
  const count = (state: string): number => (found.get('ledger') ?? []).filter((row) => row['state'] === state).length;
  return { pending: count('pending'), abandoned: count('abandoned') };
};
