import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Release } from './copy.ts';
import { packFolder } from './pack-folder.ts';
import { run } from './run.ts';

/** What two builds must not depend on. */
export interface Surroundings {
  readonly timeZone: string;
  readonly umask: number;
}

/** The compression of Node adds no name and no time. */
const packChart = (copy: string, out: string, release: Release): void => {
  const { version } = release;
  const file = join(out, `koine-chart-${version}.tar`);
  packFolder(join(copy, 'deploy/helm'), 'koine', file, release);
  writeFileSync(join(out, `koine-chart-${version}.tgz`), gzipSync(readFileSync(file), { level: 9 }));
  rmSync(file);
};

/** Builds the package, the chart and the list of dependencies from a copy. */
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
  } finally {
    process.umask(previous);
  }
}
