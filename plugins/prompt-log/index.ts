import { readFile } from 'node:fs/promises';
import { definePlugin, GatewayError, readDuration, type PluginCommand } from '../../core/api/index.ts';
import { collectSettingErrors } from '../../core/api/internal.ts';
import { decryptLine, readKey } from './encryption.ts';
import { createPromptLog } from './prompt-log.ts';
import { schema, type PromptLogOptions } from './schema.ts';

const misuse = (message: string): GatewayError => new GatewayError('invalid_request', message);

const describe = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const readLines = async (file: string): Promise<readonly string[]> => {
  try {
    return (await readFile(file, 'utf8')).split('\n');
  } catch (thrown) {
    throw misuse(`${file} cannot be read: ${describe(thrown)}`);
  }
};

const read: PluginCommand<PromptLogOptions> = {
  summary: 'Decrypts files of the prompt log',
  usage: 'FILE...',
  run: async (files, { options: { encryptionKey, oldKeys }, print }) => {
    if (files.length === 0) throw misuse('Name one or several files.');
    const keys = [encryptionKey, ...oldKeys].filter((key) => key !== '').map(readKey);
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

/** Logs the text of requests and responses, redacted, to encrypted files or a collector. */
export default definePlugin<PromptLogOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'prompt-log',
  schema,
  check: ({ files, otlp, encryptionKey, oldKeys }) => [
    ...(files === undefined && otlp === undefined
      ? [{ path: [], message: 'Say where records are written to: add files or otlp.' }]
      : []),
    ...(files !== undefined && encryptionKey === ''
      ? [
          {
            path: ['encryptionKey'],
            message: 'Files are encrypted: set a key, as "openssl rand -base64 32" prints it.',
          },
        ]
      : []),
    ...collectSettingErrors({
      'encryptionKey': () => encryptionKey === '' || readKey(encryptionKey),
      'oldKeys': () => oldKeys.map(readKey),
      'files.keep': () => files && requirePositive(files.keep),
      'otlp.timeout': () => otlp && requirePositive(otlp.timeout),
    }),
  ],
  commands: { read },
  create: createPromptLog,
});
