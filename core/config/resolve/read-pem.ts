import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { entries, member, text } from '../checks/tolerant.ts';
import type { ProviderTls } from '../gateway-config.ts';

/** Whether a setting is the text of a PEM file. Otherwise it is the path of one. */
export const isPem = (setting: string): boolean => setting.includes('-----BEGIN ');

/** The members of {@link ProviderTls} that are PEM files. */
export const pemMembers = ['ca', 'cert', 'key'] as const;

/** @throws Error if the file cannot be read */
export const readPem = (setting: string, folder: string): string =>
  isPem(setting) ? setting : readFileSync(resolve(folder, setting), 'utf8');

export const readProviderTls = (tls: ProviderTls, folder: string): ProviderTls => ({
  ...tls,
  ...Object.fromEntries(
    pemMembers.flatMap((name) => (tls[name] === undefined ? [] : [[name, readPem(tls[name], folder)] as const])),
  ),
});

/** Absolute paths of the PEM files of all providers. Their content is part of the configuration. */
export const listPemFiles = (data: unknown, folder: string): readonly string[] =>
  entries(member(data, 'providers')).flatMap(([, provider]) =>
    pemMembers.flatMap((name) => {
      const setting = text(member(member(provider, 'tls'), name));
      return setting === undefined || isPem(setting) ? [] : [resolve(folder, setting)];
    }),
  );
