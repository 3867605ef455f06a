import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKSUMS } from './checksums.ts';
import { run } from './run.ts';

/** What a signature is for, so that one for another purpose is refused: `-n` of `ssh-keygen -Y`. */
const NAMESPACE = 'koine-release';
/** The name of the key in {@link SIGNERS}. */
const SIGNER = 'releases@koine';
/** The public key, in the form that `ssh-keygen -Y verify` reads. */
export const SIGNERS = 'koine.signers';

/** A key for this run alone. @returns its file; the public key is beside it */
export function createKey(folder: string): string {
  const file = join(folder, 'key');
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', SIGNER, '-f', file]);
  return file;
}

/** Writes the public key of a release. */
export function writeSigners(file: string, key: string): void {
  const [type, text] = readFileSync(`${key}.pub`, 'utf8').trim().split(' ');
  writeFileSync(file, `${SIGNER} namespaces="${NAMESPACE}" ${type} ${text}\n`);
}

/** Signs the checksums of a folder. */
export function sign(folder: string, key: string): void {
  run('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', NAMESPACE, join(folder, CHECKSUMS)]);
}

/** The command of docs/operate/verify.md, in the folder of a release. */
export const VERIFY =
  `ssh-keygen -Y verify -f ${SIGNERS} -I ${SIGNER} -n ${NAMESPACE} -s ${CHECKSUMS}.sig < ${CHECKSUMS} ` +
  `&& sha256sum --check --strict --ignore-missing ${CHECKSUMS}`;

/** @throws Error where the signature or a file is not right */
export const verify = (folder: string): string => run('sh', ['-c', VERIFY], { cwd: folder });
