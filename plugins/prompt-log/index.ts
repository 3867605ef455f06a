import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { definePlugin, GatewayError, parseSize, readDuration, type PluginCommand } from '../../core/api/index.ts';
import { collectSettingErrors } from '../../core/api/internal.ts';
import { checkAws } from '../../providers/identity/aws/settings.ts';
import { addRead } from './admin-read.ts';
import { decryptLine, readKey, readKeys } from './encryption.ts';
import { createPromptLog } from './prompt-log.ts';
import { schema, type PromptLogOptions } from './schema.ts';

const misuse = (message: string): GatewayError => new GatewayError('invalid_request', message);

const describe = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The lines of a file, or of a compressed object that was copied from a bucket. */
const readLines = async (file: string): Promise<readonly string[]> => {
  try {
    const bytes = await readFile(file);
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n');
  } catch (thrown) {
    throw misuse(`${file} cannot be read: ${describe(thrown)}`);
  }
};

const read: PluginCommand<PromptLogOptions> = {
  summary: 'Decrypts files of the prompt log',
  usage: 'FILE...',
  run: async (files, { options: { encryptionKey, oldKeys }, print }) => {
    if (files.length === 0) throw misuse('Name one or several files.');
    const keys = readKeys(encryptionKey, oldKeys);
    for (const file of files) {
      for (const [index, line] of (await readLines(file)).entries()) {
        if (line === '') continue;
        try {
          print(decryptLine(keys, line));
        } catch (thrown) {
          throw misuse(`${file}, line ${index + 1} cannot be decrypted: ${describe(thrown)}`);
        }
      }
    }
    return 0;
  },
};

const requirePositive = (text: string): void => {
  if (readDuration(text) < 1) throw new Error('Write a duration above zero.');
};

const requireAtMost = (fileSize: string, size: string): void => {
  if (parseSize(fileSize) > parseSize(size)) throw new Error('Write at most files.size.');
};

/** Logs the text of requests and responses, redacted, to encrypted files, a bucket or a collector. */
export default definePlugin<PromptLogOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'prompt-log',
  schema,
  check: ({ files, otlp, s3, encryptionKey, oldKeys }) => [
    ...(files === undefined && otlp === undefined && s3 === undefined
      ? [{ path: [], message: 'Say where records are written to: add files, s3 or otlp.' }]
      : []),
    ...((files !== undefined || s3 !== undefined) && encryptionKey === ''
      ? [
          {
            path: ['encryptionKey'],
            message: 'Files and objects are encrypted: set a key, as "openssl rand -base64 32" prints it.',
          },
        ]
      : []),
    ...collectSettingErrors({
      'encryptionKey': () => encryptionKey === '' || readKey(encryptionKey),
      'oldKeys': () => oldKeys.map(readKey),
      'files.keep': () => files && requirePositive(files.keep),
      'files.fileSize': () => files && requireAtMost(files.fileSize, files.size),
      'otlp.timeout': () => otlp && requirePositive(otlp.timeout),
      's3.every': () => s3 && requirePositive(s3.every),
    }),
    ...checkAws(s3 ?? {}).map(({ path, message }) => ({ path: ['s3', ...path], message })),
  ],
  commands: { read },
  create: createPromptLog,
  primary: ({ files, encryptionKey, oldKeys }, { folder }) =>
    files === undefined
      ? {}
      : { admin: (router) => addRead(router, resolve(folder, files.path), readKeys(encryptionKey, oldKeys)) },
});
