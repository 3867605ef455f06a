import { Redis, type Command } from 'ioredis';
import { GatewayError } from '../../errors/gateway-error.ts';

/** Factor on the timeout while Redis responds to other commands. */
const BUSY = 5;

/**
 * A client whose commands fail with `failure: 'timeout'` if Redis is silent for `timeoutMs`. The timeout of ioredis
 * also fires if Redis is working through many commands, or if this process was too busy to read the responses: neither
 * is an outage. Here responses to earlier commands extend the wait, and data in the socket is read first.
 */
export class RedisClient extends Redis {
  private repliedAt = 0;
  /** Set by `openRedis`. */
  timeoutMs = 100;

  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const sentAt = performance.now();
    let timer: NodeJS.Timeout;
    const wait = (ms: number): void => {
      timer = setTimeout(() => setImmediate(check), ms);
    };
    const check = (): void => {
      const now = performance.now();
      const left = Math.min(Math.max(sentAt, this.repliedAt) + this.timeoutMs, sentAt + this.timeoutMs * BUSY) - now;
      if (left > 0) wait(left);
      else command.reject(new GatewayError('internal_error', 'Command timed out', { failure: 'timeout' }));
    };
    wait(this.timeoutMs);
    const stop = (): void => clearTimeout(timer);
    const onReply = (): void => {
      this.repliedAt = performance.now();
      stop();
    };
    command.promise.then(onReply, stop);
    return super.sendCommand(command, stream);
  }
}
