import { Redis, type Command } from 'ioredis';

/** How much longer a Redis is waited for that answers others first than one that is silent. */
const BUSY = 5;

/**
 * A client whose commands fail where Redis is silent for `patienceMs`. The time-out of ioredis does so as well where Redis answers one command after the
 * other, but has many to answer, and where this process was too busy to read what has come: neither is an outage. Here answers to earlier commands
 * are waited for in between, and what lies in the socket is read first.
 */
export class RedisClient extends Redis {
  private heardAt = 0;
  /** Whoever opens it may have more patience. */
  patienceMs = 100;

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const sentAt = performance.now();
    let timer: NodeJS.Timeout;
    const wait = (ms: number): void => {
      timer = setTimeout(() => setImmediate(check), ms);
    };
    const check = (): void => {
      const now = performance.now();
      const left = Math.min(Math.max(sentAt, this.heardAt) + this.patienceMs, sentAt + this.patienceMs * BUSY) - now;
      if (left > 0) wait(left);
      else command.reject(new Error('Command timed out'));
    };
    wait(this.patienceMs);
    const stop = (): void => clearTimeout(timer);
    const hear = (): void => {
      this.heardAt = performance.now();
      stop();
    };
    command.promise.then(hear, stop);
    return super.sendCommand(command, stream);
  }
}
