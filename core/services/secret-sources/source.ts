import { isObject } from '../../canonical/json/members.ts';

/** Where a secret comes from that can change while the gateway runs: a file, or a program that prints it. */
export interface SecretSource {
  /** A path, relative to the folder of the configuration. */
  readonly file?: string;
  /** A program and its arguments. It is started without a shell, in the folder of the configuration. */
  readonly exec?: readonly string[];
  /** A duration: how often the file is read or the program is run. */
  readonly every?: string;
}

export const isSecretSource = (value: unknown): value is SecretSource =>
  isObject(value) && ('file' in value || 'exec' in value);
