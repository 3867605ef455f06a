import { findWeakness } from '../../config/checks/token-strength.ts';
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

/** The new values of a section, except that settings which require a restart keep their running value. */
const mergeSection = <Section extends object>(name: string, live: Section, next: Section): Section =>
  Object.fromEntries([
    ...Object.entries(next).filter(([key]) => !needsRestart([name, key])),
    ...Object.entries(live).filter(([key]) => needsRestart([name, key])),
  ]) as Section;

const TOKEN: Path = ['admin', 'token'];

/** @param live the active configuration: its settings that require a restart are those that the process started with */
export function keepRestartRequired(loaded: LoadedConfig, live: GatewayConfig): ReloadableConfig {
  const next = loaded.config;
  const admin = mergeSection('admin', live.admin, next.admin);
  // The admin listener keeps its address. On a public one it must not lose its token, nor get one that can be guessed.
  const hasNoStrongToken = admin.token === undefined || findWeakness(admin.token) !== undefined;
  const wouldBeExposed = hasNoStrongToken && live.admin.token !== undefined && !isLoopback(admin.host);
  const config: GatewayConfig = {
    ...next,
    server: mergeSection('server', live.server, next.server),
    admin: wouldBeExposed ? live.admin : admin,
    store: mergeSection('store', live.store, next.store),
  };
  const changed = findChanges(live, next).filter((path) => needsRestart(path));
  return { loaded: { ...loaded, config }, restartRequired: wouldBeExposed ? [...changed, TOKEN] : changed };
}
