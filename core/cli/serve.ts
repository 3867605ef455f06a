import { resolve } from 'node:path';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { redactKeys } from '../canonical/text/redact.ts';
import { loadConfig, type LoadedConfig } from '../config/load.ts';
import { createProposals } from '../config/proposals.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { startGateway, startPrimary, type Gateway } from '../gateway.ts';
import { handleSignals, type Signals } from '../server/shutdown/signals.ts';
import { readStates, type FileStates } from '../server/reload/file-states.ts';
import { defaultTimes, FileWatch } from '../server/reload/watch-files.ts';
import type { ReloadTrigger } from '../server/reload/reload-report.ts';
import { build } from '../services/build.ts';
import { systemClock } from '../services/clock.ts';
import { canSharePorts } from '../services/network/shared-ports.ts';
import { createLog, type LogOutput } from '../services/log/log.ts';
import { giveMemoryBack, letHeapGrow } from '../services/small-heap.ts';
import { isLarge, loadInThread } from './load-thread/load-in-thread.ts';

export interface ServeOptions {
  readonly config: string;
  readonly port?: number;
  readonly adminPort?: number;
}

/** The ports of the command line replace those of the file, also after a reload. */
const withPorts = (loaded: LoadedConfig, { port, adminPort }: ServeOptions): LoadedConfig => {
  const { server, admin } = loaded.config;
  const config = {
    ...loaded.config,
    server: { ...server, port: port ?? server.port },
    admin: { ...admin, port: adminPort ?? admin.port },
  };
  const overruled = omitUndefined({
    server: port === undefined ? undefined : { port: server.port },
    admin: adminPort === undefined ? undefined : { port: admin.port },
  });
  return { ...loaded, config, overruled };
};

/** Where the hash of the key is. Addresses of a server may contain a password. */
const describeStore = ({ config }: LoadedConfig): string => {
  const [scheme, path = ''] = config.store.database.split(/:(.*)/s);
  return scheme === 'sqlite' ? path : 'the database';
};

const describeFirstKey = (secret: string, loaded: LoadedConfig, url: string): string => {
  const model = Object.keys(loaded.config.models)[0] ?? 'provider/model';
  return [
    '',
    `This gateway had no key, so it created one. It is shown only now; ${describeStore(loaded)} keeps its hash:`,
    '',
    `  ${secret}`,
    '',
    'Keep it, for example in the variable KOINE_KEY. In another terminal, try it:',
    '',
    `  curl ${url}/v1/chat/completions -H 'authorization: Bearer ${secret}' -H 'content-type: application/json' \\`,
    `    -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'`,
    '',
    '',
  ].join('\n');
};

const announce = (gateway: Gateway, loaded: LoadedConfig, log: LogOutput): void => {
  const { data, admin, firstKey } = gateway;
  const { workers } = loaded.config.server;
  log.info({ data: data.url, admin: admin.url, version: build.version, workers }, 'the gateway is ready');
  console.error(`koine serves ${loaded.file} on ${data.url} (admin ${admin.url})`);
  if (loaded.extensions.plugins.some(({ definition }) => definition.name === 'dashboard'))
    console.error(`The dashboard is at ${admin.url}/`);
  if (firstKey !== undefined) console.error(describeFirstKey(firstKey.secret, loaded, data.url));
};

/** Reloads the gateway when its files change. @returns reloads it for another reason */
const followConfig = ({ reloads }: Gateway, known: FileStates, log: LogOutput): ((trigger: ReloadTrigger) => void) => {
  const reload = (trigger: ReloadTrigger): void =>
    void reloads
      .request(trigger)
      .then(follow, (error: unknown) => log.warn({ trigger, error }, 'a reload was refused'));
  const watch = new FileWatch(() => reload('file'), defaultTimes, known);
  const follow = (): void => watch.follow(reloads.live.config.server.watch ? reloads.files : []);
  follow();
  return reload;
};

/** Logs each extension that is not built in, once for each version of its files. */
const createTrustLog = (log: LogOutput): ((loaded: LoadedConfig) => void) => {
  const seen = new Set<string>();
  return ({ extensions: { plugins, providers } }) => {
    for (const { kind, use, source, integrity, isPinned, versions = 1 } of [...plugins, ...Object.values(providers)]) {
      if (source === 'built-in' || seen.has(`${source} ${integrity}`)) continue;
      seen.add(`${source} ${integrity}`);
      log.info(
        { kind, use, file: source, integrity, isPinned },
        'an extension that is not built in was loaded: it runs with full trust',
      );
      if (versions > 1)
        log.info({ use, versions }, 'the old code of a reloaded extension stays in memory until the next start');
    }
  };
};

const program = new URL('./serve-thread/start.js', import.meta.url);

/** One thread serves where threads cannot share a port: `koine check` says so. */
const hasWorkers = ({ config }: LoadedConfig): boolean => config.server.workers > 1 && canSharePorts();

/** Starts the whole gateway in this thread, or with workers. */
const runGateway = async (
  options: ServeOptions,
  builtIns: BuiltIns,
  log: LogOutput,
  signals: Signals,
): Promise<never> => {
  const logTrust = createTrustLog(log);
  const load = async (live?: LoadedConfig): Promise<LoadedConfig> => {
    const read =
      live !== undefined && (await isLarge(live))
        ? await loadInThread(options.config, builtIns, live)
        : await loadConfig(options.config, builtIns, process.env);
    logTrust(read);
    return withPorts(read, options);
  };
  const known = await readStates([resolve(options.config)]);
  // What a large configuration takes does not fit in a small heap: it would be collected again and again.
  const takesMuch = await isLarge({ files: [options.config] });
  if (takesMuch) letHeapGrow();
  const loaded = await load();
  for (const warning of loaded.warnings) console.error(formatProblem(warning));
  if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    log.warn({}, 'NODE_TLS_REJECT_UNAUTHORIZED=0: the certificates of providers are not checked');
  const proposals = createProposals(options.config, builtIns, process.env);
  const environment = { log, clock: systemClock, load, proposals, program };
  const gateway = await (hasWorkers(loaded) ? startPrimary : startGateway)(loaded, environment);
  announce(gateway, loaded, log);
  letHeapGrow();
  if (takesMuch) void giveMemoryBack();
  const reload = followConfig(gateway, known, log);
  signals.attach({ drain: gateway.drain, cut: gateway.cut, reload: () => reload('signal') });
  return gateway.failed;
};

/**
 * Everything is closed. A timer that a library left, such as a retry to a dead trace collector, must not keep the
 * process.
 */
const exit = (code: number): never => process.exit(code);

/**
 * Runs the gateway until a signal stops it.
 * @returns 0 after a graceful stop; 1 where it could not start, failed, or had to cut connections
 */
export async function serve(options: ServeOptions, builtIns: BuiltIns): Promise<number> {
  const log = createLog();
  const signals = handleSignals(log);
  try {
    return await Promise.race([runGateway(options, builtIns, log, signals), signals.exit.then(exit)]);
  } catch (thrown) {
    if (thrown instanceof ConfigError) for (const problem of thrown.problems) console.error(formatProblem(problem));
    else if (GatewayError.is(thrown)) console.error(`${thrown.code}: ${redactKeys(thrown.message)}`);
    else throw thrown;
    return 1;
  } finally {
    log.finish();
  }
}
