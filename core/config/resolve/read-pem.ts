import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { entries, member, text } from '../checks/tolerant.ts';
import type { ClientTls } from '../../services/network/client-tls.ts';

/** Whether a setting is the text of a PEM file. Otherwise it is the path of one. */
export const isPem = (setting: string): boolean => setting.includes('-----BEGIN ');

/** The members of {@link ClientTls} that are PEM files. */
export const pemMembers = ['ca', 'cert', 'key'] as const;

/** @throws Error if the file cannot be read */
export const readPem = (setting: string, folder: string): string =>
  isPem(setting) ? setting : readFileSync(resolve(folder, setting), 'utf8');

/** Replaces the paths of PEM files by their texts. @throws Error if a file cannot be read */
export const readClientTls = (tls: ClientTls, folder: string): ClientTls => ({
  ...tls,
  ...Object.fromEntries(
    pemMembers.flatMap((name) => (tls[name] === undefined ? [] : [[name, readPem(tls[name], folder)] as const])),
  ),
});

/** Absolute paths of the PEM files of Redis and of all providers. Their content is part of the configuration. */
export const listPemFiles = (data: unknown, folder: string): readonly string[] =>
  [member(member(data, 'store'), 'redis'), ...entries(member(data, 'providers')).map(([, provider]) => provider)]
    .map((peer) => member(peer, 'tls'))
    .flatMap((tls) => pemMembers.flatMap((name) => text(member(tls, name)) ?? []))
    .flatMap((setting) => (isPem(setting) ? [] : [resolve(folder, setting)]));
