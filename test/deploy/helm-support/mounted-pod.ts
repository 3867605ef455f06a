import { mkdirSync, mkdtempSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import type { Container, Rendered } from './render.ts';
import type { Scenario } from './scenarios.ts';

type Files = Readonly<Record<string, string>>;

/**
 * The files and variables that Kubernetes gives to the container of a gateway, below a temporary folder. The paths in
 * them start with that folder.
 */
export class MountedPod {
  readonly #folder = createTemporaryFolder();
  readonly #container: Container;
  readonly #mountPaths: readonly string[];
  readonly env: Readonly<Record<string, string>>;

  constructor(rendered: Rendered, { secrets = {}, configMap }: Scenario) {
    const { containers, volumes } = rendered.pod;
    this.#container = containers[0];
    this.#mountPaths = this.#container.volumeMounts.map(({ mountPath }) => mountPath);
    const readSecret = (name: string): Files => {
      if (secrets[name] === undefined) throw new Error(`no Secret ${name}`);
      return secrets[name];
    };
    for (const { name, mountPath } of this.#container.volumeMounts) {
      const volume = volumes.find((each) => each.name === name);
      if (volume === undefined) throw new Error(`no volume ${name}`);
      mkdirSync(this.pathOf(mountPath), { recursive: true });
      if (volume.configMap !== undefined) this.write(mountPath, configMap ?? rendered.get('ConfigMap').data!);
      if (volume.secret !== undefined) {
        const { secretName, items } = volume.secret;
        const all = readSecret(secretName);
        const files = items?.map(({ key, path }): [string, string] => [path, all[key]!]) ?? Object.entries(all);
        this.write(mountPath, Object.fromEntries(files));
      }
    }
    this.env = Object.fromEntries(
      (this.#container.env ?? []).map(({ name, value, valueFrom }) => {
        const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
        return [name, value ?? readSecret(secret)[key]!];
      }),
    );
  }

  /** Where a path of the container is. */
  pathOf(path: string): string {
    return join(this.#folder.path, path);
  }

  /** The arguments of the container. */
  get args(): readonly string[] {
    return this.#container.args.map((each) => this.#relocate(each));
  }

  /** Writes the files of a volume as the kubelet does: all of them change at once, when a symbolic link is replaced. */
  write(mountPath: string, files: Files): void {
    const folder = this.pathOf(mountPath);
    const version = mkdtempSync(join(folder, '..version-'));
    const link = join(folder, '..data');
    let former: string | undefined;
    try {
      former = readlinkSync(link);
    } catch {
      for (const name of Object.keys(files)) symlinkSync(join('..data', name), join(folder, name));
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(version, name), this.#relocate(text));
    symlinkSync(version, `${link}_tmp`);
    renameSync(`${link}_tmp`, link);
    if (former !== undefined) rmSync(former, { recursive: true });
  }

  remove(): void {
    this.#folder.remove();
  }

  #relocate(text: string): string {
    return this.#mountPaths
      .filter((path) => path !== '/tmp')
      .reduce(
        (replaced, path) => replaced.replaceAll(new RegExp(`(?<![\\w-])${path}(?![\\w-])`, 'g'), this.pathOf(path)),
        text,
      );
  }
}
