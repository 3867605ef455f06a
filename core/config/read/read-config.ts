import { readFile } from 'node:fs/promises';
import { GatewayError } from '../../errors/gateway-error.ts';
import { decodeText, describeUnreadable } from './decode-text.ts';

/** @throws GatewayError `KOINE_CONFIG_UNREADABLE` */
export async function readConfig(file: string): Promise<string> {
  try {
    return decodeText(await readFile(file));
  } catch (error) {
    throw new GatewayError('KOINE_CONFIG_UNREADABLE', `${file} cannot be read: ${describeUnreadable(error)}.`, {
      cause: error,
    });
  }
}
