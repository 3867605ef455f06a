import { Redis, type Command } from 'ioredis';

/** Nobody waits longer for an answer. */
const COMMAND_MS = 100;

/**
 * A client whose commands fail after 100 ms without an answer. The time-out of ioredis fails them as well when this process was too busy to read
 * an answer that has come; here what lies in the socket is read first.
 */
export class RedisClient extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const timer = setTimeout(() => setImmediate(() => command.reject(new Error('Command timed out'))), COMMAND_MS);
    const settled = (): void => clearTimeout(timer);
    command.promise.then(settled, settled);
    return super.sendCommand(command, stream);
  }
}
