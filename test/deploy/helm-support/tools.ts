import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where test/deploy/install-helm-tools.sh puts the tools. */
const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'koine-tests/helm-tools');
const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
/** No cluster of the person who runs the tests is reached. */
const env = { ...process.env, PATH, KUBECONFIG: '/dev/null' };
const ownSchemas = fileURLToPath(new URL('schemas/', import.meta.url));

/** The oldest Kubernetes that the chart supports, and the newest. */
export const kubernetesVersions = ['1.29.0', '1.37.0'];

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const run = (program: string, args: readonly string[]): Outcome => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8', maxBuffer: 1e8 });
  if (error !== undefined) throw error;
  return { code: status, out: stdout, err: stderr };
};

export const runHelm = (...args: readonly string[]): Outcome => run('helm', args);

/** Helm 3 renders the same objects, but its messages differ. */
const isInstalled =
  existsSync(join(folder, 'schemas')) &&
  spawnSync('helm', ['version', '--short'], { env, encoding: 'utf8' }).stdout?.startsWith('v4.') &&
  spawnSync('kubeconform', ['-v'], { env }).status === 0;

/** Skips without the tools, except in CI. Call it in a `before` hook. */
export const requireHelmTools = (context: Mocha.Context): void => {
  if (isInstalled) return;
  if (process.env['CI'] === 'true')
    throw new Error('Helm 4 or kubeconform is missing: run test/deploy/install-helm-tools.sh.');
  context.skip();
};

export interface Finding {
  readonly filename: string;
  readonly kind: string;
  readonly status: 'statusValid' | 'statusInvalid' | 'statusError' | 'statusSkipped';
  readonly msg: string;
}

/** One finding for each object in these files. Unknown members and kinds without a schema are problems. */
export const validate = (version: string, files: readonly string[]): readonly Finding[] => {
  const folders = [join(folder, 'schemas/{{.NormalizedKubernetesVersion}}-local-strict'), ownSchemas];
  const { out, err } = run('kubeconform', [
    '-strict',
    '-verbose',
    '-output=json',
    `-kubernetes-version=${version}`,
    ...folders.map((each) => `-schema-location=${join(each, '{{.ResourceKind}}{{.KindSuffix}}.json')}`),
    ...files,
  ]);
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as { readonly resources: readonly Finding[] }).resources;
};

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const chart = join(root, 'deploy/helm/koine');
export const readRoot = (path: string): string => readFileSync(join(root, path), 'utf8');
