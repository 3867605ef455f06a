import { Redis, type Command } from 'ioredis';

/** Nobody waits longer for a Redis that is silent, */
const SILENT_MS = 100;
/** nor for one that answers others first. */
const MOST_MS = 500;

/**
 * A client whose commands fail after 100 ms without an answer. The time-out of ioredis does so as well where Redis answers one command after the
 * other, but has many to answer, and where this process was too busy to read what has come: neither is an outage. Here answers to earlier commands
 * are waited for in between, and what lies in the socket is read first.
 */
export class RedisClient extends Redis {
  private heardAt = 0;

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const sentAt = performance.now();
    let timer: NodeJS.Timeout;
    const wait = (ms: number): void => {
      timer = setTimeout(() => setImmediate(check), ms);
    };
    const check = (): void => {
      const now = performance.now();
      const left = Math.min(Math.max(sentAt, this.heardAt) + SILENT_MS, sentAt + MOST_MS) - now;
      if (left > 0) wait(left);
      else command.reject(new Error('Command timed out'));
    };
    wait(SILENT_MS);
    const stop = (): void => clearTimeout(timer);
    const hear = (): void => {
      this.heardAt = performance.now();
      stop();
    };
    command.promise.then(hear, stop);
    return super.sendCommand(command, stream);
  }
}
