import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { OptionFinding } from '../../../core/api/index.ts';
import { compileSchema } from '../../../core/config/validate/validate.ts';
import { encryptLine, readKey } from '../../../plugins/prompt-log/encryption.ts';
import plugin from '../../../plugins/prompt-log/index.ts';
import type { PromptLogOptions } from '../../../plugins/prompt-log/schema.ts';
import { runHere } from '../../core/cli/run-here.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

const check = (options: object): readonly string[] => {
  const filled: unknown = structuredClone(options);
  const validate = compileSchema<PromptLogOptions>(plugin.schema);
  if (!validate(filled)) throw new Error(JSON.stringify(validate.errors));
  const found: readonly OptionFinding[] = plugin.check?.(filled, { models: [] }) ?? [];
  return found.map(({ path }) => path.join('.'));
};

describe('the settings of the prompt log', () => {
  it('needs a place to write to, and a key for files and buckets', () => {
    expect(check({})).to.deep.equal(['']);
    expect(check({ files: { path: './prompts' } })).to.deep.equal(['encryptionKey']);
    expect(check({ files: { path: './prompts' }, encryptionKey: 'short', oldKeys: ['short'] })).to.deep.equal([
      'encryptionKey',
      'oldKeys',
    ]);
    expect(
      check({ files: { path: './prompts', keep: '0s' }, otlp: { timeout: '0s' }, encryptionKey: key(1) }),
    ).to.deep.equal(['files.keep', 'otlp.timeout']);
    const files = { path: './prompts', size: '1mb', fileSize: '2mb' };
    expect(check({ files, encryptionKey: key(1) })).to.deep.equal(['files.fileSize']);
    expect(check({ otlp: {} })).to.deep.equal([]);
    const s3 = { bucket: 'prompts', region: 'eu-west-1' };
    expect(check({ s3 })).to.deep.equal(['encryptionKey']);
    expect(check({ s3, encryptionKey: key(1) })).to.deep.equal([]);
    expect(check({ s3: { ...s3, every: '0s', accessKeyId: 'AKID' }, encryptionKey: key(1) })).to.deep.equal([
      's3.every',
      's3.secretAccessKey',
    ]);
    for (const wrong of [{ bucket: 'a/b' }, { region: '' }, { prefix: '/a' }, { prefix: 'a b' }, { endpoint: 'minio' }])
      expect(() => check({ s3: { ...s3, ...wrong }, encryptionKey: key(1) }), JSON.stringify(wrong)).to.throw();
  });
});

describe('koine prompt-log read', () => {
  let folder: ReturnType<typeof createTemporaryFolder>;
  before(() => {
    folder = createTemporaryFolder();
    const config = { files: { path: './prompts' }, encryptionKey: key(1), oldKeys: [key(2)] };
    writeFileSync(
      join(folder.path, 'gateway.yaml'),
      JSON.stringify({
        providers: { simulator: { use: 'simulator' } },
        plugins: [{ use: 'auth' }, { use: 'prompt-log', config }],
      }),
    );
    const lines = [1, 2].map((byte) => encryptLine(readKey(key(byte)), `{"from":${byte}}`));
    writeFileSync(join(folder.path, 'prompts.jsonl'), `${lines.join('\n')}\n`);
    writeFileSync(join(folder.path, 'object.ndjson.gz'), gzipSync(`${lines.join('\n')}\n`));
    writeFileSync(join(folder.path, 'broken.ndjson.gz'), 'not compressed');
    writeFileSync(join(folder.path, 'foreign.jsonl'), encryptLine(readKey(key(3)), '{}'));
  });
  after(() => folder.remove());
  const read = (...names: readonly string[]) =>
    runHere([
      'prompt-log',
      'read',
      ...names.map((name) => join(folder.path, name)),
      '--config',
      join(folder.path, 'gateway.yaml'),
    ]);

  it('prints the records of a file or of a copied object, also of earlier keys', async () => {
    expect(await read('prompts.jsonl')).to.include({ code: 0, out: '{"from":1}\n{"from":2}\n' });
    expect(await read('object.ndjson.gz')).to.include({ code: 0, out: '{"from":1}\n{"from":2}\n' });
    expect(readFileSync(join(folder.path, 'prompts.jsonl'), 'utf8')).to.not.include('from');
  });

  it('says which line cannot be read, and which file does not exist', async () => {
    const foreign = await read('foreign.jsonl');
    expect(foreign.code).to.equal(2);
    expect(foreign.err).to.include('foreign.jsonl, line 1 cannot be decrypted').and.to.include('oldKeys');
    expect((await read('broken.ndjson.gz')).err).to.include('broken.ndjson.gz cannot be read: incorrect header check');
    expect((await read('none.jsonl')).err).to.include('none.jsonl cannot be read');
    expect((await read()).err).to.include('Name one or several files.');
  });
});
