import type { Log } from '../../contracts/services.ts';

/** Where the caller of a function was called. */
const callerOf = (): string => new Error('called').stack?.split('\n').slice(3).join('\n') ?? '';

/**
 * Logs what an extension does in a worker thread that has another effect than in a process of its own: it ends the
 * thread, or listens for signals, which only the main thread gets. Node itself refuses `process.chdir`.
 * https://nodejs.org/api/worker_threads.html#class-worker
 */
export function explainLimits(log: Log): void {
  const { exit } = process;
  process.exit = (code) => {
    log.error({ code, stack: callerOf() }, 'an extension called process.exit: this ends its worker');
    return exit(code);
  };
  process.on('newListener', (event: string | symbol) => {
    if (typeof event !== 'string' || !event.startsWith('SIG')) return;
    const text = 'an extension listens for a signal in a worker, which gets none: close what it holds in `close`';
    log.warn({ signal: event, stack: callerOf() }, text);
  });
}
