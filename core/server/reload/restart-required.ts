import { findWeakness } from '../../config/checks/token-strength.ts';
import { findChanges } from '../../config/diff/find-changes.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { isLoopback } from '../../config/loopback.ts';
import { needsRestart } from '../../config/diff/reloadability.ts';
import type { Path } from '../../config/problem.ts';

/** A configuration as a process that runs can take it up. */
export interface ReloadableConfig {
  readonly loaded: LoadedConfig;
  /** What waits for the next start. */
  readonly restartRequired: readonly Path[];
}

/** A section with what only a start takes up as it is, and everything else as it is to be. */
const mix = <Section extends object>(name: string, live: Section, next: Section): Section =>
  Object.fromEntries([
    ...Object.entries(next).filter(([key]) => !needsRestart([name, key])),
    ...Object.entries(live).filter(([key]) => needsRestart([name, key])),
  ]) as Section;

const TOKEN: Path = ['admin', 'token'];

/** @param live in force now: of what needs a restart it holds what this process was started with */
export function keepRestartRequired(loaded: LoadedConfig, live: GatewayConfig): ReloadableConfig {
  const next = loaded.config;
  const admin = mix('admin', live.admin, next.admin);
  // The listener stays where it is bound, and there it is never left open, nor to a token that can be guessed.
  const isOpen = admin.token === undefined || findWeakness(admin.token) !== undefined;
  const isBare = isOpen && live.admin.token !== undefined && !isLoopback(admin.host);
  const config: GatewayConfig = {
    ...next,
    server: mix('server', live.server, next.server),
    admin: isBare ? live.admin : admin,
    store: mix('store', live.store, next.store),
  };
  const restartRequired = findChanges(live, next).filter((path) => needsRestart(path));
  return { loaded: { ...loaded, config }, restartRequired: isBare ? [...restartRequired, TOKEN] : restartRequired };
}
