import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Release } from './copy.ts';
import { describeProvenance } from './provenance.ts';
import { run } from './run.ts';

/** What two builds must not depend on. */
export interface Surroundings {
  readonly timeZone: string;
  readonly umask: number;
}

/** A tar of sorted paths, each with the same owner, mode and time. The compression of Node adds no name and no time. */
const packChart = (copy: string, out: string, { time, version }: Release): void => {
  const file = join(out, `koine-chart-${version}.tar`);
  const fixed = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  run('tar', [...fixed, '--format=ustar', '-cf', file, '-C', join(copy, 'deploy/helm'), 'koine']);
  writeFileSync(join(out, `koine-chart-${version}.tgz`), gzipSync(readFileSync(file), { level: 9 }));
  rmSync(file);
};

/**
 * Builds the files of a release from a copy: the package, the chart, the list of dependencies and where all of it comes
 * from.
 */
export function buildFiles(copy: string, out: string, release: Release, { timeZone, umask }: Surroundings): void {
  const previous = process.umask(umask);
  try {
    mkdirSync(out, { recursive: true });
    const env = { TZ: timeZone, SOURCE_DATE_EPOCH: release.time, LC_ALL: 'C' };
    run(process.execPath, ['tools/release/build.ts'], { cwd: copy, env });
    // npm packs the modes of the files, which depend on the umask.
    run('chmod', ['-R', 'u=rwX,go=rX', copy]);
    run('npm', ['pack', '--silent', '--pack-destination', out], { cwd: copy, env });
    run(process.execPath, ['tools/release/sbom.ts'], { cwd: copy, env });
    copyFileSync(join(copy, 'dist/sbom.cdx.json'), join(out, 'sbom.cdx.json'));
    packChart(copy, out, release);
    writeFileSync(join(out, 'provenance.json'), describeProvenance(out, release));
  } finally {
    process.umask(previous);
  }
}
