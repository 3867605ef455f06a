import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile } from './checksums.ts';
import type { Release } from './copy.ts';
import { run } from './run.ts';

/**
 * Which commit the files of a folder were built from, and with what: an in-toto statement with a SLSA predicate.
 * https://slsa.dev/spec/v1.0/provenance
 * @param base the image that the image of the release is built on
 */
export function describeProvenance(folder: string, { commit, version }: Release, base?: string): string {
  const subject = readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, digest: { sha256: hashFile(join(folder, name)) } }));
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://koine.invalid/release/v1',
        externalParameters: { version },
        internalParameters: { node: process.versions.node, npm: run('npm', ['--version']).trim() },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          ...(base === undefined ? [] : [{ name: base, digest: { sha256: base.replace(/.*@sha256:/, '') } }]),
        ],
      },
      runDetails: { builder: { id: 'https://koine.invalid/tools/release/dry' } },
    },
  };
  return `${JSON.stringify(statement, undefined, 2)}\n`;
}
