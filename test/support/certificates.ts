import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A private authority. */
export interface Authority {
  /** Its own certificate. */
  readonly ca: string;
  /** @param name of a server, or of a client */
  issue(name: string): Certificate;
}

export const hasOpenssl = (): boolean => spawnSync('openssl', ['version']).status === 0;

const openssl = (folder: string, args: readonly string[]): void => {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
};

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates an authority whose files are in the folder. Needs openssl. */
export function createAuthority(folder: string, name = 'ca'): Authority {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const own = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`];
  openssl(folder, ['req', '-x509', ...curve, '-days', '2', ...own]);
  let serial = 0;
  return {
    ca: read(`${name}.pem`),
    issue: (subject) => {
      const file = `${name}-${(serial += 1)}`;
      openssl(folder, ['req', ...curve, '-keyout', `${file}.key`, '-out', `${file}.csr`, '-subj', `/CN=${subject}`]);
      writeFileSync(join(folder, `${file}.ext`), `subjectAltName=DNS:${subject}\n`);
      const signed = ['-CA', `${name}.pem`, '-CAkey', `${name}.key`, '-CAcreateserial', '-days', '2'];
      openssl(folder, [
        'x509',
        '-req',
        '-in',
        `${file}.csr`,
        ...signed,
        '-extfile',
        `${file}.ext`,
        '-out',
        `${file}.pem`,
      ]);
      return { cert: read(`${file}.pem`), key: read(`${file}.key`) };
    },
  };
}
