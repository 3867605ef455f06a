import { readFile } from 'node:fs/promises';
import { GatewayError } from '../errors.ts';

/** @throws GatewayError `KOINE_CONFIG_UNREADABLE` */
export const readConfig = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : String(error);
    throw new GatewayError('KOINE_CONFIG_UNREADABLE', `${file} cannot be read: ${reason}.`, { cause: error });
  }
};
