import Anthropic from '@anthropic-ai/sdk';
import { expect } from 'chai';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { decryptLine, encryptLine, readKey } from '../../../plugins/prompt-log/encryption.ts';
import { say, type Said } from '../../extensions/guarded-upstream.ts';
import { KEY } from '../../support/gateway.ts';
import { CHAT, MESSAGES, startScene, type Scene } from '../../support/scene.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const other = 'other-key-0123456789abcdef';
const encryptionKey = Buffer.alloc(32, 7).toString('base64');
const secret = 'sk-proj-abcdefghijklmnopqrstuv';

interface Recorded {
  readonly id: string;
  readonly key: string;
  readonly wire: string;
  readonly status: number;
  readonly outcome: string;
  readonly request: { readonly turns?: readonly object[]; readonly inputs?: readonly string[] };
  readonly response?: { readonly choices: readonly { readonly parts: readonly object[]; readonly finish: object }[] };
  readonly cut?: boolean;
}

describe('a gateway with the prompt log', () => {
  let scene: Scene | undefined;
  let said: Said = {};
  let folder: ReturnType<typeof createTemporaryFolder>;
  beforeEach(() => {
    folder = createTemporaryFolder();
    said = { text: ['Hello.'] };
  });
  afterEach(async () => {
    await scene?.stop();
    scene = undefined;
    folder.remove();
  });

  const start = async (options: object): Promise<void> => {
    scene = await startScene({
      plugins: [{ use: 'auth' }, { use: 'metrics' }, { use: 'prompt-log', config: options }],
      organizations: { acme: { projects: { web: { keys: { alice: { key: KEY }, bob: { key: other } } } } } },
    });
    scene.upstream.answer = (response, call) => say(said, response, call);
  };
  const path = () => join(folder.path, 'prompts');
  const toFiles = (more: object = {}) => start({ encryptionKey, files: { path: path() }, ...more });
  const lines = (): readonly string[] => {
    const names = statSync(path(), { throwIfNoEntry: false }) === undefined ? [] : readdirSync(path());
    return names.flatMap((name) =>
      readFileSync(join(path(), name), 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    );
  };
  const records = async (count: number): Promise<readonly Recorded[]> => {
    await until(`${count} records are written`, () => lines().length >= count);
    return lines().map((line) => JSON.parse(decryptLine([readKey(encryptionKey)], line)) as Recorded);
  };
  const openai = (apiKey = KEY) => new OpenAI({ apiKey, baseURL: `${scene?.gateway.url}/v1`, maxRetries: 0 });
  const ask = (content: string, apiKey = KEY) =>
    openai(apiKey).chat.completions.create({ model: CHAT, messages: [{ role: 'user', content }] });
  const metric = async (pattern: RegExp): Promise<boolean> =>
    pattern.test(await (await fetch(`${scene?.gateway.gateway.admin?.url}/metrics`)).text());

  it('writes request and response of each wire in one form, encrypted, for the user of the gateway only', async () => {
    await toFiles();
    await ask('Hi');
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const client = new Anthropic({ apiKey: KEY, baseURL: scene?.gateway.url ?? '', maxRetries: 0 });
    await client.messages.stream({ model: MESSAGES, max_tokens: 50, messages }).finalMessage();
    const [chat, streamed] = await records(2);
    const form = {
      turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      parts: [{ type: 'text', text: 'Hello.' }],
    };
    for (const [record, wire] of [
      [chat, 'chat-completions'],
      [streamed, 'messages'],
    ] as const) {
      expect(record).to.include({ key: 'alice', wire, status: 200, outcome: 'ok' });
      expect(record?.request.turns).to.deep.equal(form.turns);
      expect(record?.response?.choices[0]?.parts).to.deep.equal(form.parts);
    }
    expect(lines().join('\n')).to.not.include('Hello');
    const [name = ''] = readdirSync(path());
    expect(name).to.match(/^prompts-\d{4}-\d\d-\d\dT\d\d-\d+\.jsonl$/);
    expect([statSync(path()).mode & 0o777, statSync(join(path(), name)).mode & 0o777]).to.deep.equal([0o700, 0o600]);
  });

  it('redacts secrets, also where a stream splits them, and in arguments of tools', async () => {
    await toFiles({ redact: ['api-keys', 'emails'] });
    said = { text: ['Use sk-proj-abcdefgh', 'ijklmnopqrstuv, joe@exam', 'ple.com'] };
    const messages = [{ role: 'user' as const, content: `My key is ${secret}` }];
    for await (const _chunk of await openai().chat.completions.create({ model: CHAT, messages, stream: true }));
    said = { input: [`{"key":"${secret}"}`] };
    await ask('Call it');
    const [streamed, called] = await records(2);
    expect(JSON.stringify(streamed?.request.turns)).to.include('My key is [redacted]');
    expect(JSON.stringify(streamed?.response?.choices[0]?.parts)).to.include('Use [redacted], [redacted]');
    expect(JSON.stringify(called)).to.include('[redacted]').and.to.not.include(secret);
  });

  it('redacts addresses with hidden and fullwidth characters, split over two parts, and in members of one wire', async () => {
    await toFiles({ redact: ['emails'] });
    said = { text: ['Mail jo', '\u200Be＠exam', 'ple.com.'] };
    const content = [
      { type: 'text' as const, text: 'Write to joe@exa' },
      { type: 'text' as const, text: 'm\u00ADple.com now.' },
    ];
    const messages = [{ role: 'user' as const, content }];
    const more = { stop: ['joe@example.com'], metadata: { owner: 'joe@example.com', 'joe@example.com': '1' } };
    for await (const _chunk of await openai().chat.completions.create({
      model: CHAT,
      messages,
      ...more,
      stream: true,
    }));
    const [record] = await records(1);
    expect(JSON.stringify(record?.request.turns)).to.include('Write to [redacted]').and.to.include('[redacted] now.');
    expect(JSON.stringify(record?.response?.choices[0]?.parts)).to.include('Mail [redacted].');
    expect(JSON.stringify(record)).to.not.include('@').and.to.not.include('＠');
  });

  it('begins a new file at the size of one, and removes the oldest at the size of all', async () => {
    await toFiles({ files: { path: path(), size: '40kb', fileSize: '9kb' } });
    const total = 40;
    for (let round = 0; round < total; round += 1) await ask(`${round}: ${'x'.repeat(1_500)}`);
    const numbers = (): readonly string[] =>
      lines().map((line) => /"text":"(\d+): x/.exec(decryptLine([readKey(encryptionKey)], line))?.[1] ?? '');
    await until('the last record is written', () => numbers().includes(String(total - 1)));
    const sizes = readdirSync(path()).map((name) => statSync(join(path(), name)).size);
    expect(sizes.length).to.be.greaterThan(2);
    expect(Math.max(...sizes)).to.be.at.most(9 * 1_024);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(40 * 1_024);
    expect(numbers()).to.not.include('0');
    const warnings = scene?.gateway.lines.filter(({ text }) => text.includes('files.size is reached'));
    expect(warnings).to.have.length(1);
  });

  it('records failures without a response, and the beginning of one that is cut or too long', async () => {
    await toFiles({ maxResponse: '2kb' });
    if (scene !== undefined)
      scene.upstream.answer = (response) => answerJson(response, { error: { message: 'No.' } }, 400);
    await ask('Hi').catch(() => {});
    said = { text: Array.from({ length: 30 }, () => 'All is well. ') };
    if (scene !== undefined) scene.upstream.answer = (response, call) => say(said, response, call);
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    for await (const _chunk of await openai().chat.completions.create({ model: CHAT, messages, stream: true }));
    const [failed, long] = await records(2);
    expect(failed).to.include({ status: 400 });
    expect(failed?.response).to.equal(undefined);
    expect(long?.cut).to.equal(true);
    expect(JSON.stringify(long?.response?.choices[0]?.parts)).to.include('All is well. ');
  });

  it('logs only the keys and the share that are set', async () => {
    await toFiles({ keys: ['acme/web/bob'] });
    await ask('from alice');
    await ask('from bob', other);
    const [record] = await records(1);
    expect(record?.key).to.equal('bob');
    await scene?.stop();
    folder.remove();
    await toFiles({ share: 0 });
    await ask('Hi');
    await scene?.stop();
    scene = undefined;
    expect(lines()).to.deep.equal([]);
  });

  it('removes files that are older than they are kept', async () => {
    mkdirSync(path());
    for (const [name, age] of [
      ['prompts-2026-01-01T00-1.jsonl', 3_600],
      ['prompts-2026-01-02T00-1.jsonl', 10],
      ['notes.txt', 3_600],
    ] as const) {
      writeFileSync(join(path(), name), '');
      utimesSync(join(path(), name), Date.now() / 1_000 - age, Date.now() / 1_000 - age);
    }
    await toFiles({ files: { path: path(), keep: '10m' } });
    await ask('Hi');
    await records(1);
    const left = readdirSync(path()).filter((name) => !name.endsWith(`-${process.pid}.jsonl`));
    expect(left.sort()).to.deep.equal(['notes.txt', 'prompts-2026-01-02T00-1.jsonl']);
  });

  it('counts records that cannot be written, with one line in the log, and requests go on', async () => {
    writeFileSync(path(), 'a file in place of the folder');
    await toFiles();
    for (let round = 0; round < 3; round += 1) await ask('Hi');
    await until('the failures are counted', () =>
      metric(/koine_prompt_log_records_total\{sink="files",result="failed"\} 3/),
    );
    const warnings = scene?.gateway.lines.filter(({ text }) => text.startsWith('the prompt log is not written'));
    expect(warnings).to.have.length(1);
  });

  it('does not write a record that is longer than the size of all files', async () => {
    await toFiles({ files: { path: path(), size: '20kb', fileSize: '9kb' } });
    await ask('x'.repeat(30_000));
    await until('the record is counted', () =>
      metric(/koine_prompt_log_records_total\{sink="files",result="failed"\} 1/),
    );
    expect(lines()).to.have.length(0);
    await ask('Hi');
    expect(await records(1)).to.have.length(1);
  });
});

describe('the prompt log at a collector', () => {
  let collector: TestUpstream;
  let scene: Scene;
  before(async () => {
    collector = await startUpstream();
  });
  after(() => collector.stop());

  const start = async (options: object): Promise<void> => {
    collector.calls.length = 0;
    const otlp = { endpoint: `${collector.url}/v1/logs`, headers: { authorization: 'Bearer token' }, timeout: '30s' };
    scene = await startScene({
      plugins: [{ use: 'auth' }, { use: 'metrics' }, { use: 'prompt-log', config: { otlp, ...options } }],
    });
    scene.upstream.answer = (response, call) => say({ text: ['Hello.'] }, response, call);
  };
  const ask = (content = 'Hi') =>
    new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 }).chat.completions.create({
      model: CHAT,
      messages: [{ role: 'user', content }],
    });
  const metrics = async (): Promise<string> => (await fetch(`${scene.gateway.gateway.admin?.url}/metrics`)).text();

  it('sends log records with the text, or encrypted', async () => {
    collector.answer = (response) => answerJson(response, {});
    for (const encrypted of [false, true]) {
      await start(encrypted ? { encryptionKey } : {});
      await ask();
      await until('the record has arrived', () => collector.calls.length > 0);
      const [call] = collector.calls;
      expect(call?.headers.authorization).to.equal('Bearer token');
      const { resourceLogs } = (call?.body ?? {}) as {
        readonly resourceLogs: readonly {
          readonly scopeLogs: readonly {
            readonly logRecords: readonly {
              readonly timeUnixNano: string;
              readonly body: { readonly stringValue: string };
            }[];
          }[];
        }[];
      };
      const record = resourceLogs[0]?.scopeLogs[0]?.logRecords[0];
      const text = record?.body.stringValue ?? '';
      expect(Number(record?.timeUnixNano) / 1e6).to.be.closeTo(Date.now(), 600_000);
      expect(text.includes('Hello.')).to.equal(!encrypted);
      const plain = encrypted ? decryptLine([readKey(encryptionKey)], text) : text;
      expect(plain).to.include('"text":"Hello."');
      await scene.stop();
    }
  });

  it('a collector that does not answer delays no request, and records beyond the memory are dropped and counted', async () => {
    collector.answer = () => {};
    await start({ memory: '6kb' });
    for (let round = 0; round < 8; round += 1) await ask('x'.repeat(2_000));
    await until('drops are counted', async () =>
      /records_total\{sink="otlp",result="dropped"\} [1-9]/.test(await metrics()),
    );
    expect(await metrics()).to.not.include('result="written"');
    const warnings = scene.gateway.lines.filter(({ text }) => text.startsWith('the prompt log drops records'));
    expect(warnings).to.have.length(1);
    expect(scene.upstream.calls).to.have.length(8);
    await scene.stop();
  });
});

describe('the encryption of the prompt log', () => {
  const key = readKey(encryptionKey);

  it('each line differs, names its key, and cannot be changed or read with another key', () => {
    const line = encryptLine(key, 'text');
    expect(encryptLine(key, 'text')).to.not.equal(line);
    expect(decryptLine([readKey(Buffer.alloc(32, 1).toString('base64')), key], line)).to.equal('text');
    expect(() => decryptLine([readKey(Buffer.alloc(32, 1).toString('base64'))], line)).to.throw(key.id);
    const { data, ...rest } = JSON.parse(line) as { readonly data: string };
    const bytes = Buffer.from(data, 'base64');
    bytes[14] = (bytes[14] ?? 0) ^ 1;
    expect(() => decryptLine([key], JSON.stringify({ ...rest, data: bytes.toString('base64') }))).to.throw();
  });

  it('a key of another length is refused with what to do', () => {
    expect(() => readKey('c2hvcnQ=')).to.throw('openssl rand -base64 32');
  });
});
