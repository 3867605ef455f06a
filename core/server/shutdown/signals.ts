import type { Log } from '../../contracts/services.ts';

/** What a signal acts on. */
export interface SignalTarget {
  /** Takes nothing new and waits for what is open. @returns false where connections had to be cut */
  drain(isHurried: boolean): Promise<boolean>;
  /** Cuts what is open. */
  cut(): void;
  /** Reads its configuration anew. */
  reload(): void;
}

export interface Signals {
  /** From now on they act on this; what came before is made up for. */
  attach(gateway: SignalTarget): void;
  /** Resolves with the exit code when the gateway is closed; after a second signal, three seconds later at most. */
  readonly exit: Promise<number>;
}

/** How long what a second signal has cut may take to be settled. */
const CUT_MS = 3_000;

/**
 * SIGTERM drains the gateway, and so does SIGINT, at once: no load balancer has to learn of what a terminal ends. A second of them cuts what is open.
 * SIGHUP reloads. What comes while the gateway starts waits until it has.
 */
export function handleSignals(log: Log, cutMs = CUT_MS): Signals {
  const { promise: exit, resolve } = Promise.withResolvers<number>();
  let gateway: SignalTarget | undefined;
  let ending: NodeJS.Signals | undefined;
  let [isHungUp, isCut] = [false, false];

  const drain = async (to: SignalTarget, isHurried: boolean): Promise<void> => {
    const isGood = await to.drain(isHurried);
    resolve(isGood && !isCut ? 0 : 1);
  };
  const onEnd = (signal: NodeJS.Signals): void => {
    if (ending === undefined) {
      ending = signal;
      log.info({ signal }, 'stopping');
      if (gateway !== undefined) void drain(gateway, signal === 'SIGINT');
      return;
    }
    log.warn({ signal }, 'second signal: cutting what is open');
    isCut = true;
    gateway?.cut();
    setTimeout(() => resolve(1), cutMs).unref();
  };
  const onHangUp = (): void => {
    isHungUp = true;
    if (ending === undefined) gateway?.reload();
  };
  process.on('SIGTERM', onEnd).on('SIGINT', onEnd).on('SIGHUP', onHangUp);
  return {
    attach: (to) => {
      gateway = to;
      // Who was told to end before it served has nobody to be gentle to.
      if (ending !== undefined) void drain(to, true);
      else if (isHungUp) to.reload();
    },
    exit,
  };
}

/** For a worker: what reaches the whole group is the primary's to decide. */
export function ignoreSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}
