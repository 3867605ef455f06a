import type { Log } from '../../contracts/services.ts';
import type { Shutdown } from '../startup.ts';

/** The gateway that signals act on. */
export interface SignalTarget extends Pick<Shutdown, 'drain' | 'cut'> {
  /** Reads its configuration again. */
  reload(): void;
}

export interface Signals {
  /** Directs signals to this gateway. Those that came before take effect now. */
  attach(gateway: SignalTarget): void;
  /** Resolves with the exit code when the gateway has closed, or three seconds after a second signal. */
  readonly exit: Promise<number>;
}

/** How long exchanges may take to settle once a second signal has cut them. */
const CUT_MS = 3_000;

/**
 * SIGTERM drains the gateway. SIGINT does so without the delay for load balancers, since it comes from a terminal. A
 * second of either cuts every open connection. SIGHUP reloads. Signals that come during startup take effect after it.
 */
export function handleSignals(log: Log, cutMs = CUT_MS): Signals {
  const { promise: exit, resolve } = Promise.withResolvers<number>();
  let gateway: SignalTarget | undefined;
  let stopSignal: NodeJS.Signals | undefined;
  let [isHungUp, isCut, hasEnded] = [false, false, false];
  let stopsSince = 0;

  const end = (drained: boolean): void => {
    if (hasEnded) return;
    hasEnded = true;
    const fields = { drained, ms: Math.round(performance.now() - stopsSince) };
    if (drained) log.info(fields, 'the gateway has stopped');
    else log.warn(fields, 'the gateway has stopped: some connections were cut');
    resolve(drained ? 0 : 1);
  };
  const drain = async (target: SignalTarget, isHurried: boolean): Promise<void> =>
    end((await target.drain(isHurried)) && !isCut);
  const onStop = (signal: NodeJS.Signals): void => {
    if (stopSignal === undefined) {
      [stopSignal, stopsSince] = [signal, performance.now()];
      log.info({ signal }, 'stopping');
      if (gateway !== undefined) void drain(gateway, signal === 'SIGINT');
      return;
    }
    log.warn({ signal }, 'second signal: cutting open connections');
    isCut = true;
    gateway?.cut();
    setTimeout(() => end(false), cutMs).unref();
  };
  const onHangUp = (): void => {
    isHungUp = true;
    if (stopSignal === undefined) gateway?.reload();
  };
  process.on('SIGTERM', onStop).on('SIGINT', onStop).on('SIGHUP', onHangUp);
  return {
    attach: (target) => {
      gateway = target;
      // If the stop signal came during startup, there is no client to drain for.
      if (stopSignal !== undefined) void drain(target, true);
      else if (isHungUp) target.reload();
    },
    exit,
  };
}
