import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { KeyPair } from '../../config/certificates/key-pair.ts';
import type { Certificates, ListenerName } from '../../config/certificates/read-certificates.ts';
import { findWeakness } from '../../config/checks/admin/token-strength.ts';
import { findChanges } from '../../config/diff/find-changes.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { isLoopback } from '../../config/loopback.ts';
import { needsRestart } from '../../config/diff/reloadability.ts';
import type { Path } from '../../config/problem.ts';

/** The part of a new configuration that a running process can apply. */
export interface ReloadableConfig {
  readonly loaded: LoadedConfig;
  /** Settings that have changed and keep their running value until the next start. */
  readonly restartRequired: readonly Path[];
}

const isKept = (path: Path, live: unknown, next: unknown): boolean =>
  findChanges(live, next, path).some((changed) => needsRestart(changed));

/** The new values of a section, except that settings which require a restart keep their running value. */
const mergeSection = <Section extends object>(name: string, live: Section, next: Section): Section => {
  const values = (key: string): readonly [live: unknown, next: unknown] => [
    (live as Record<string, unknown>)[key],
    (next as Record<string, unknown>)[key],
  ];
  const keys = [...new Set([...Object.keys(next), ...Object.keys(live)])];
  const merged = keys.map((key) => {
    const [running, changed] = values(key);
    return [key, isKept([name, key], running, changed) ? running : changed] as const;
  });
  return omitUndefined<Record<string, unknown>>(Object.fromEntries(merged)) as Section;
};

const TOKEN: Path = ['admin', 'token'];

/** Of the files that the merged configuration names: those that were read now, or those that it keeps. */
const mergeCertificates = (
  config: GatewayConfig,
  live: Pick<LoadedConfig, 'certificates'>,
  next: LoadedConfig,
): Certificates => {
  const select = (listener: ListenerName): KeyPair | undefined =>
    (isDeepStrictEqual(config[listener].tls, next.config[listener].tls) ? next : live).certificates[listener];
  return omitUndefined({ server: select('server'), admin: select('admin') });
};

/** @param live its settings that require a restart are those that the process started with */
export function keepRestartRequired(
  loaded: LoadedConfig,
  live: Pick<LoadedConfig, 'config' | 'certificates'>,
): ReloadableConfig {
  const [running, next] = [live.config, loaded.config];
  const admin = mergeSection('admin', running.admin, next.admin);
  // The admin listener keeps its address. On a public one it must not lose its token, nor get one that can be guessed.
  const hasNoStrongToken = admin.token === undefined || findWeakness(admin.token) !== undefined;
  const wouldBeExposed = hasNoStrongToken && running.admin.token !== undefined && !isLoopback(admin.host);
  const config: GatewayConfig = {
    ...next,
    server: mergeSection('server', running.server, next.server),
    admin: wouldBeExposed ? running.admin : admin,
    store: mergeSection('store', running.store, next.store),
  };
  const changed = (['server', 'admin', 'store'] as const)
    .flatMap((section) => findChanges(running[section], next[section], [section]))
    .filter((path) => needsRestart(path));
  return {
    loaded: { ...loaded, config, certificates: mergeCertificates(config, live, loaded) },
    restartRequired: wouldBeExposed ? [...changed, TOKEN] : changed,
  };
}
