import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../tools/release/build.ts';
import { root } from '../../tools/release/lockfile.ts';

/** A tarball in the output of `npm pack --json`: https://docs.npmjs.com/cli/commands/npm-pack */
interface Packed {
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

export interface Installation {
  /** The file that `npm pack` has written. */
  readonly tarball: string;
  /** The folder with `package.json`, in which `npm install` was run. */
  readonly home: string;
  /** A cache for npx, which installs into its cache. It has the downloads of the real one. */
  readonly npmCache: string;
  /** The folder of the installed package in `node_modules`. */
  readonly folder: string;
  /** A folder without packages in it or above it, with a configuration and an extension. */
  readonly config: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
  /** A line with its sizes and times. */
  readonly summary: string;
  remove(): void;
}

/** @returns standard output @throws Error with standard error */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

const configuration = `
server: { port: 0, drain: { delay: 0s } }
admin: { port: 0 }
store: { database: "sqlite:./koine.db" }
providers: { simulator: { use: simulator } }
models:
  simulator/chat:
    targets: [{ provider: simulator, model: chat }]
    wires: [chat-completions, responses, messages, generate-content]
organizations: { acme: { projects: { web: { keys: { alice: { key: "\${CLIENT_KEY}" } } } } } }
plugins:
  - use: auth
  - use: rate-limit
  - use: ledger
  - use: metrics
  - use: failover
  - use: dashboard
  - use: ./greeting.ts
    config: { word: hello }
`;

let shared: Promise<Installation> | undefined;
/** One installation for all files of a run. It is removed when the process ends. */
export function installOnce(): Promise<Installation> {
  shared ??= install().then((installation) => {
    process.once('exit', () => installation.remove());
    return installation;
  });
  return shared;
}

/** Builds the package, packs it, and installs the tarball into an empty folder, as `npm install koine-gateway` does. */
export async function install(): Promise<Installation> {
  await build();
  const top = mkdtempSync(join(tmpdir(), 'koine-package-'));
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', top], root)) as [Packed];
  const home = join(top, 'installed');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const began = performance.now();
  run('npm', ['install', '--prefer-offline', '--ignore-scripts', join(top, packed.filename)], home);
  const seconds = (performance.now() - began) / 1_000;
  const lockfile = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8')) as { readonly packages: object };
  const config = join(top, 'config');
  mkdirSync(config);
  writeFileSync(join(config, 'gateway.yaml'), configuration);
  copyFileSync(join(import.meta.dirname, 'extension/greeting.ts'), join(config, 'greeting.ts'));
  const npmCache = join(top, 'npm');
  mkdirSync(npmCache);
  symlinkSync(join(run('npm', ['config', 'get', 'cache'], top).trim(), '_cacache'), join(npmCache, '_cacache'), 'dir');
  const mega = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
  return {
    tarball: join(top, packed.filename),
    home,
    npmCache,
    folder: join(home, 'node_modules/koine-gateway'),
    config,
    files: packed.files.map(({ path }) => path),
    summary:
      `${packed.filename}: ${mega(packed.size)} MB packed, ${mega(packed.unpackedSize)} MB unpacked, ` +
      `${packed.files.length} files; ${Object.keys(lockfile.packages).length - 1} packages installed ` +
      `in ${seconds.toFixed(1)} s.`,
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}
