import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { GatewayError, invalidRequest, type AdminRouter, type CallDescription } from '../../core/api/index.ts';
import { isObject } from '../../core/api/codec.ts';
import { decryptLine, type EncryptionKey } from './encryption.ts';
import { listFilesOf } from './sinks/files.ts';

/** Times beyond it are no dates of a file. */
const MAX_MS = 8e15;
const REQUEST_ID = /^req_[0-9a-f]{32}$/;

const readCall: CallDescription = {
  summary:
    'The text of one request and of its response from the files of the prompt log. The audit log records who read it.',
  role: 'admin',
  body: {
    type: 'object',
    properties: { id: { type: 'string' }, time: { type: 'string', format: 'date-time' } },
    required: ['id', 'time'],
    additionalProperties: false,
  },
  answer: { type: 'object' },
};

const readRequest = (body: unknown): { readonly id: string; readonly endedAt: number } => {
  const { id, time } = isObject(body) ? body : {};
  if (typeof id !== 'string' || !REQUEST_ID.test(id))
    throw invalidRequest('id', 'id must be the id of a request: req_ and 32 digits from 0 to f.');
  const endedAt = typeof time === 'string' ? Date.parse(time) : NaN;
  if (!(Math.abs(endedAt) < MAX_MS))
    throw invalidRequest(
      'time',
      'time must be the time of the request as GET /admin/requests/{id} has it, in ISO 8601.',
    );
  return { id, endedAt };
};

/** The line of a request in a file. Most lines are skipped without being parsed. */
const findLine = async (file: string, id: string): Promise<string | undefined> => {
  const mark = `"id":"${id}"`;
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  try {
    for await (const line of lines) if (line.slice(0, 128).includes(mark)) return line;
  } catch (thrown) {
    // Its time has come since it was listed.
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
  } finally {
    lines.close();
  }
  return undefined;
};

/** Decrypts the record of a request. @throws GatewayError */
const readRecord = (keys: readonly EncryptionKey[], line: string, id: string): object => {
  try {
    const record = JSON.parse(decryptLine(keys, line)) as object;
    if ('id' in record && record.id === id) return record;
  } catch (cause) {
    throw new GatewayError(
      'conflict',
      'The record of this request cannot be decrypted: its key is neither encryptionKey nor in oldKeys, or the file ' +
        'was changed.',
      { cause },
    );
  }
  throw new GatewayError('conflict', 'The line of this request has the record of another one: the file was changed.');
};

/** Adds `POST /admin/prompts`: docs/govern/prompt-log.md. @param directory of the files */
export function addRead(router: AdminRouter, directory: string, keys: readonly EncryptionKey[]): void {
  router.post(
    '/admin/prompts',
    async ({ body }) => {
      const { id, endedAt } = readRequest(body);
      for (const file of await listFilesOf(directory, endedAt)) {
        const line = await findLine(file, id);
        if (line !== undefined) return { body: readRecord(keys, line, id), audit: { target: id } };
      }
      throw new GatewayError(
        'not_found',
        'The prompt log of this host has no record of this request. It may not be among those that are logged (keys, ' +
          'routes, models, share), or its file has been removed after its time.',
      );
    },
    readCall,
  );
}
