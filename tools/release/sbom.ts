import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readLockfile, root } from './lockfile.ts';

/** The output of `npm run sbom`, relative to the root. */
const OUTPUT = 'dist/sbom.cdx.json';

export interface Bom {
  readonly metadata: { readonly component: { readonly name: string }; readonly timestamp?: string };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes: readonly { readonly alg: string }[];
  }[];
}

/**
 * Writes the manifest and the lockfile without development dependencies. `npm sbom --omit=dev` cannot be used: it also
 * leaves out production packages that a development dependency needs.
 */
function writeProduction(folder: string): void {
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as Readonly<
    Record<string, unknown>
  >;
  const lockfile = readLockfile();
  const packages = Object.fromEntries(
    Object.entries(lockfile.packages).filter(([, { dev, link }]) => dev !== true && link !== true),
  );
  const { devDependencies: __, ...project } = packages[''] as Readonly<Record<string, unknown>>;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lockfile, packages: { ...packages, '': project } }),
  );
}

/**
 * The production dependencies of the lockfile as CycloneDX. Needs no network and no installed packages.
 * @throws Error with the output of npm
 */
export function createBom(): Bom {
  const temporary = mkdtempSync(join(tmpdir(), 'koine-sbom-'));
  try {
    // npm names the project after its folder.
    const cwd = join(temporary, 'koine-gateway');
    mkdirSync(cwd);
    writeProduction(cwd);
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const { status, stdout, stderr } = spawnSync('npm', args, {
      cwd,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${stderr}`);
    // Without what differs in each run, so that a release can be built again.
    const { serialNumber: _, metadata, ...bom } = JSON.parse(stdout) as Bom & { readonly serialNumber: string };
    const { timestamp: __, ...described } = metadata;
    return { ...bom, metadata: described };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

if (import.meta.main) {
  const bom = createBom();
  mkdirSync(dirname(`${root}${OUTPUT}`), { recursive: true });
  writeFileSync(`${root}${OUTPUT}`, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${OUTPUT}: ${bom.components.length} components.`);
}
