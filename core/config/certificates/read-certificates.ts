import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { member, text } from '../checks/tolerant.ts';
import type { TlsFiles } from '../gateway-config.ts';
import { describeUnreadable } from '../read/decode-text.ts';
import { findFlaw, type KeyPair } from './key-pair.ts';

/** The sections of the configuration that describe a listener. */
export type ListenerName = 'server' | 'admin';

/** What the listeners with TLS present to clients. */
export type Certificates = Readonly<Partial<Record<ListenerName, KeyPair>>>;

/** A file under `tls` of a listener. */
export interface PemFile {
  /** Absolute path. */
  readonly file: string;
  /** Empty if it could not be read. */
  readonly content: string;
  /** Why it could not be read. */
  readonly unreadable?: string;
}

/** Both files of each listener with TLS. Each is read once, so that what is checked is what is served. */
export type CertificateFiles = Readonly<Partial<Record<ListenerName, Readonly<Record<keyof KeyPair, PemFile>>>>>;

const readPemFile = (file: string): PemFile => {
  try {
    return { file, content: readFileSync(file, 'utf8') };
  } catch (error) {
    return { file, content: '', unreadable: describeUnreadable(error) };
  }
};

/**
 * @param data a configuration, checked or not
 * @param folder absolute path, to which relative paths refer
 */
export function readCertificateFiles(data: unknown, folder: string): CertificateFiles {
  const readFiles = (listener: ListenerName): CertificateFiles[ListenerName] => {
    const tls = member(member(data, listener), 'tls');
    const [cert, key] = [text(member(tls, 'cert')), text(member(tls, 'key'))];
    if (cert === undefined || key === undefined) return undefined;
    return { cert: readPemFile(resolve(folder, cert)), key: readPemFile(resolve(folder, key)) };
  };
  return omitUndefined({ server: readFiles('server'), admin: readFiles('admin') });
}

/** Absolute paths. */
export const listCertificateFiles = (files: CertificateFiles): readonly string[] =>
  Object.values(files).flatMap(({ cert, key }) => [cert.file, key.file]);

const contentOf = ({ cert, key }: Readonly<Record<keyof KeyPair, PemFile>>): KeyPair => ({
  cert: cert.content,
  key: key.content,
});
export const certificatesOf = ({ server, admin }: CertificateFiles): Certificates =>
  omitUndefined({ server: server && contentOf(server), admin: admin && contentOf(admin) });

/** Reads the files of a running configuration again. A pair that TLS cannot serve stays as it is. */
export function renewCertificates(
  { server, admin }: Certificates,
  config: Readonly<Record<ListenerName, { readonly tls?: TlsFiles }>>,
): Certificates {
  const read = certificatesOf(readCertificateFiles(config, '/'));
  const renew = (pair: KeyPair, next: KeyPair | undefined): KeyPair =>
    next === undefined || findFlaw(next) !== undefined ? pair : next;
  return omitUndefined({ server: server && renew(server, read.server), admin: admin && renew(admin, read.admin) });
}
